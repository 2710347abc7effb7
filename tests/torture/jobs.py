"""A shell's job control, as far as it takes to stop one job and go on: runs the command of its arguments in a process group of its own in the
foreground of the terminal, says when it has stopped, and continues it."""
import os
import signal
import sys
import time

signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if job == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    _, how = os.waitpid(job, os.WUNTRACED)
    if not os.WIFSTOPPED(how):
        break
    os.tcsetpgrp(0, os.getpgrp())
    print(f"job stopped by {signal.Signals(os.WSTOPSIG(how)).name}", flush=True)
    time.sleep(0.3)
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
    print("job goes on", flush=True)
os.tcsetpgrp(0, os.getpgrp())
print(f"job ended: {os.waitstatus_to_exitcode(how)}", flush=True)
