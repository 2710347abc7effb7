"""jax.profiler around a jitted function, twice: events on the GPU's planes."""
import glob
import os
import tempfile

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp
from jax.profiler import ProfileData


@jax.jit
def step(x, w):
    for _ in range(6):
        x = jnp.tanh(x @ w)
    return x


def main():
    x, w = jnp.ones((512, 512)), jnp.ones((512, 512)) / 512
    step(x, w).block_until_ready()
    for cycle in range(2):
        with tempfile.TemporaryDirectory() as folder:
            with jax.profiler.trace(folder):
                for _ in range(30):
                    step(x, w).block_until_ready()
            path, = glob.glob(f"{folder}/**/*.xplane.pb", recursive=True)
            planes = [plane for plane in ProfileData.from_file(path).planes if "/device:GPU" in plane.name]
            streams = [list(line.events) for plane in planes for line in plane.lines if line.name.startswith("Stream")]
            events = [event for line in streams for event in line]
            print(f"cycle {cycle}: {len(events)} events on the GPU")
            if events:
                print(f"cycle {cycle}: time of events {sum(e.duration_ns for e in events) / 1e6:.3f} ms")
        for _ in range(30):
            step(x, w).block_until_ready()


main()
