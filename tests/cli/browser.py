"""Opens documents in HTML in a browser and uses them: sorts tables, points at marks, follows links, prints, darkens.

    browser.py --program PROGRAM --captures DIR --samples DIR          exit status 0 passed, 1 failed, 77 cannot be tried here

The browser is Debian's chromium without a window, told what to do over a pipe (Chrome DevTools Protocol). Nothing may be asked of a
network, nothing may be said on the console, and what the documents do not bring along must not run.
"""
import argparse
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from pages import CANNOT_TRY, made

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DEADLINE_S = 60
# Document, how it is made, and how many links, sections and heads of tables that sort it has at least; the last one has names that
# would break out of any markup.
DOCUMENTS = (
    ("sample", ("report", "SAMPLE:h200.rlcap", "--title", "A <b>title</b> & more"), 60, 2, 5),
    ("real program", ("report", "SAMPLE:programs/transformer-h200.rlcap"), 20, 2, 5),
    ("cards", ("compare", "CAPTURE:normal.rlcap", "CAPTURE:other-card.rlcap"), 0, 2, 5),
    ("before and after", ("compare", "CAPTURE:normal.rlcap", "CAPTURE:after.rlcap"), 0, 1, 0),
    ("a fleet", ("compare", "--fleet", "SAMPLE:h100.rlcap", "SAMPLE:h200.rlcap", "CAPTURE:links.rlcap"), 0, 2, 5),
    ("hostile", ("report", "CAPTURE:hostile.rlcap"), 4, 2, 5),
)
# What documents are made of: no name of a capture becomes anything.
ELEMENTS = set("html head meta title style body header main footer nav details summary ol li section div span p h1 h2 h3 a hr figure "
               "svg path circle text rect table thead tbody tr th td button small script".split())
MOST_CHARTS = 12  # at which the pointer is held


class Browser:
    """A browser at the other end of two pipes: messages are JSON, each ended by a zero byte."""

    def __init__(self, path, folder):
        (low, self.out), (self.inn, high) = os.pipe(), os.pipe()
        read_end, write_end = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (low, high))  # out of the way of 3 and 4
        os.close(low)
        os.close(high)

        def connect():  # the numbers at which it listens and answers
            os.dup2(read_end, 3)
            os.dup2(write_end, 4)

        self.process = subprocess.Popen(
            [path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "--window-size=1200,900"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=connect)
        os.close(read_end)
        os.close(write_end)
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.do(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.inn, 1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def do(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]
        raise RuntimeError(f"{method}: no answer")

    def open(self, path):
        self.events = []
        self.do("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def ask(self, expression):
        """The value of an expression on the page, awaited."""
        result = self.do("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression[:60]}: {result['exceptionDetails']['exception'].get('description', '')}")
        return result["result"].get("value")

    def point(self, x, y):
        self.do("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.out)
        os.close(self.inn)


ANCHORS = """(() => {
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  const broken = [...document.querySelectorAll('a')].map(a => a.getAttribute('href'))
    .filter(href => !href || href[0] != '#' || !document.getElementById(href.slice(1)));
  const bare = [...document.querySelectorAll('section')].filter(s => !s.querySelector('a.a[id]')).length;
  return {count: ids.length, twice: ids.length - new Set(ids).size, broken, bare,
          sections: document.querySelectorAll('section').length, links: document.querySelectorAll('main a:not(.a)').length};
})()"""

# Every head of every table is pressed three times: the column is in order, in the other order, and the rows are as they were.
SORTING = r"""(() => {
  const faults = [];
  let pressed = 0;
  const value = text => {
    const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(/\u2212/g, '-').replace(/^[<>~\u2264\u2265\u2248]+/, '');
    const unit = plain.replace(/^[-+]?[\d.]+/, '');
    const binary = /^([KMGT])iB/.exec(unit);
    const power = binary ? 10 * ('KMGT'.indexOf(binary[1]) + 1) * Math.LN2 : /^[kmg]$/.test(unit) ? {k: 10, m: 20, g: 30}[unit] * Math.LN2
      : /^(.)(B|s$|Hz|W|FLOP|op|inst)/.test(unit) ? ({n: -9, µ: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15}[unit[0]] ?? 0) * Math.LN10 : 0;
    return /^[-+]?[\d.]/.test(plain) ? parseFloat(plain) * Math.exp(power) : NaN;
  };
  for (const table of document.querySelectorAll('table')) {
    const rows = () => [...table.tBodies[0].rows], before = rows();
    for (const button of table.querySelectorAll('thead button')) {
      const column = button.closest('th').cellIndex, texts = () => rows().map(row => row.cells[column].textContent.trim());
      button.click();
      pressed++;
      if (button.closest('th').getAttribute('aria-sort') != 'ascending') faults.push('not said to be sorted: ' + button.textContent);
      const up = texts().map(value), numbers = up.filter(v => !Number.isNaN(v));
      const numeric = texts().every((text, i) => !Number.isNaN(up[i]) || /^[\u2013\u2014-]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]*$/.test(text));
      if (numeric && numbers.some((v, i) => i && v < numbers[i - 1] - 1e-9 * Math.abs(numbers[i - 1]))) faults.push('not ascending: ' + button.textContent);
      if (numeric && up.slice(0, numbers.length).some(Number.isNaN)) faults.push('missing values not last: ' + button.textContent);
      button.click();
      const down = texts().map(value).filter(v => !Number.isNaN(v));
      if (numeric && down.some((v, i) => i && v > down[i - 1] + 1e-9 * Math.abs(down[i - 1]))) faults.push('not descending: ' + button.textContent);
      button.click();
      if (rows().some((row, i) => row !== before[i])) faults.push('not as it was: ' + button.textContent);
    }
  }
  return {pressed, faults};
})()"""

# The middle of a mark of each chart, once it is in the window, and what it should say.
MARK = """(async i => {
  const chart = document.querySelectorAll('svg.k')[i], marks = chart.querySelectorAll('.p');
  if (!marks.length) return null;
  const mark = marks[marks.length - 1];
  mark.scrollIntoView({block: 'center'});
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = mark.getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2, text: (mark.querySelector('title') || {}).textContent || mark.getAttribute('aria-label')};
})"""
TIP = """(() => {
  const tip = document.getElementById('tip'), box = tip.getBoundingClientRect();
  return {shown: !tip.hidden && box.width > 0, text: tip.textContent, inside: box.x >= 0 && box.y >= 0 && box.right <= innerWidth && box.bottom <= innerHeight};
})()"""

MADE_OF = r"""(() => {
  const all = [...document.querySelectorAll('*')];
  return {elements: [...new Set(all.map(e => e.localName))], scripts: document.scripts.length,
          handlers: all.filter(e => e.getAttributeNames().some(n => n.startsWith('on') || n == 'style' && e.id != 'tip')).length,
          steered: /[\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.outerHTML)};
})()"""

FOREIGN = """(async () => {
  const script = document.createElement('script');
  script.textContent = 'window.intruder = true';
  document.body.append(script);
  const style = document.createElement('p');
  style.setAttribute('style', 'position: fixed');
  document.body.append(style);
  const fetched = await fetch('http://127.0.0.1:9/').then(() => true, () => false);
  const image = await new Promise(done => { const i = new Image(); i.onload = () => done(true); i.onerror = () => done(false); i.src = 'http://127.0.0.1:9/x.png'; });
  return {ran: !!window.intruder, styled: getComputedStyle(style).position == 'fixed', fetched, image};
})()"""


def faults_of_console(browser):
    """What was asked of a network, what was said, by the document itself."""
    for event in browser.events:
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:")):
            yield f"asks for {parameters['request']['url']}"
        if event.get("method") == "Runtime.exceptionThrown":
            yield f"script fails: {parameters['exceptionDetails'].get('text')}"
        if event.get("method") == "Runtime.consoleAPICalled" or event.get("method") == "Log.entryAdded":
            yield f"console: {parameters.get('entry', parameters).get('text', parameters)}"


def faults_of_parts(browser):
    found = browser.ask(MADE_OF)
    if not set(found["elements"]) <= ELEMENTS or found["scripts"] != 1 or found["handlers"] or found["steered"]:
        yield f"it is made of more than it should be: {set(found['elements']) - ELEMENTS}, {found}"


def faults_of_links(browser, path, least_links, least_sections):
    found = browser.ask(ANCHORS)
    if found["twice"] or found["broken"] or found["bare"]:
        yield f"{found['twice']} names twice, {found['bare']} sections without one, links to nowhere: {found['broken'][:5]}"
    if found["sections"] < least_sections or found["links"] < least_links:
        yield f"{found['sections']} sections, {found['links']} links"
    name = browser.ask("(all => all[all.length >> 1].querySelector('a.a').id)([...document.querySelectorAll('section')])")
    browser.do("Page.navigate", url=f"{path.as_uri()}#{name}")
    place = browser.ask(f"""new Promise(done => setTimeout(() => done({{
        top: document.getElementById({json.dumps(name)}).getBoundingClientRect().top,
        below: document.scrollingElement.scrollHeight - innerHeight - scrollY}}), 100))""")
    if not -40 <= place["top"] <= 60 and place["below"] > 2:
        yield f"the address of '{name}' leads {place['top']} points past it"


def faults_of_charts(browser):
    charts, held = browser.ask("document.querySelectorAll('svg.k').length"), 0
    for chart in range(min(charts, MOST_CHARTS)):
        mark = browser.ask(f"{MARK}({chart})")
        if not mark:
            continue
        held += 1
        browser.point(mark["x"], mark["y"])
        tip = browser.ask(TIP)
        if not tip["shown"] or not tip["inside"] or not any(c.isdigit() for c in tip["text"]):
            yield f"chart {chart + 1}: at '{mark['text']}' there is {tip}"
        browser.point(2, 2)
        if browser.ask(TIP)["shown"]:
            yield f"chart {chart + 1}: its value stays"
    if not held:
        yield f"{charts} charts, and none says a value"


def faults_of_looks(browser):
    light = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.do("Emulation.setEmulatedMedia", media="print", features=[])
    if browser.ask("[...document.querySelectorAll('nav')].some(nav => getComputedStyle(nav).display != 'none')"):
        yield "its list of sections is printed"
    printed = browser.do("Page.printToPDF")
    if len(printed["data"]) < 10000:
        yield "nothing is printed"
    browser.do("Emulation.setEmulatedMedia", media="", features=[])
    if light == dark:
        yield "it is not dark where that is asked for"
    if browser.ask("document.scrollingElement.scrollWidth > innerWidth"):
        yield "it is wider than the window"


KEYS = """(() => {
  const button = document.querySelector('thead button');
  button.focus();
  return document.activeElement === button && getComputedStyle(button).visibility == 'visible';
})()"""


def faults_of_keys(browser):
    """A head is reached by the keyboard and sorts by Enter; so does the list of sections open."""
    if not browser.ask("!!document.querySelector('thead button')"):
        return
    if not browser.ask(KEYS):
        yield "a head of a table cannot have the focus"
    for kind in ("keyDown", "keyUp"):
        browser.do("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r" if kind == "keyDown" else "")
    if browser.ask("document.querySelector('thead button').closest('th').getAttribute('aria-sort')") != "ascending":
        yield "a head does not sort by Enter"
    reached = browser.ask("[...document.querySelectorAll('main a:not(.a), thead button, summary')].filter(e => e.tabIndex < 0).length")
    if reached:
        yield f"{reached} links and buttons cannot be reached by the keyboard"


def faults_of_phone(browser):
    """At 390 points nothing is wider than the window; tables scroll."""
    browser.do("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    wide = browser.ask("document.scrollingElement.scrollWidth")
    if wide > 390:
        yield f"at 390 points it is {wide} wide"
    small = browser.ask("[...document.querySelectorAll('p, td, th, li')].filter(e => parseFloat(getComputedStyle(e).fontSize) < 11).length")
    if small:
        yield f"at 390 points {small} texts are smaller than 11 points"
    browser.do("Emulation.clearDeviceMetricsOverride")


def faults_of(browser, path, least_links, least_sections, least_heads):
    browser.open(path)
    yield from faults_of_parts(browser)
    yield from faults_of_links(browser, path, least_links, least_sections)
    sorting = browser.ask(SORTING)
    yield from sorting["faults"]
    if sorting["pressed"] < least_heads:
        yield f"{sorting['pressed']} heads can be pressed"
    yield from faults_of_keys(browser)
    yield from faults_of_charts(browser)
    yield from faults_of_phone(browser)
    yield from faults_of_looks(browser)
    yield from faults_of_console(browser)
    foreign = browser.ask(FOREIGN)
    if any(foreign.values()):
        yield f"its policy lets through: {foreign}"


def main():
    parser = argparse.ArgumentParser(description="Uses documents in HTML as a reader would.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--captures", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    path = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if not path or not shutil.which("gnuplot"):
        print(f"SKIPPED: no {'gnuplot' if path else 'chromium'}")
        return CANNOT_TRY
    folders, faults = {"CAPTURE": arguments.captures, "SAMPLE": arguments.samples}, []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(path, f"{folder}/profile")
        try:
            for name, command, *least in DOCUMENTS:
                document = made(arguments.program, pathlib.Path(folder), folders, command, "document.html")
                faults += [f"{name}: {fault}" for fault in faults_of(browser, document, *least)]
        except RuntimeError as error:
            faults.append(str(error))
        finally:
            browser.close()
    print("\n".join(faults) if faults else f"{len(DOCUMENTS)} documents opened and used: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
