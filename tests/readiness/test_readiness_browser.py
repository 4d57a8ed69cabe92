"""The page of the readiness report in a real browser: Chromium without a window, driven by Selenium."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from readiness_program import readiness

from ompc.tools.readiness.page import page

SWITCHES = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-component-update"),
)


def missing(what: str) -> None:
    if os.environ.get("OMPC_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{what} was not found, and OMPC_REQUIRE_BROWSER=1 says that it must be", pytrace=False)
    pytest.skip(f"no {what}")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser with a profile of its own, which notes what it sends and what its console says."""
    chromium, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        missing("chromium with chromedriver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        missing("selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium)
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(str(driver)))
    yield found
    found.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("readiness")
    file = directory / "readiness.html"
    file.write_text(page(readiness(directory)), encoding="utf-8")
    return file.as_uri()


def requests(browser: Any) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]


def test_it_opens_without_complaints_and_asks_for_nothing(browser: Any, address: str) -> None:
    browser.get(address)
    assert "OpenMP on the device" in browser.title
    assert browser.get_log("browser") == []
    assert [url for url in requests(browser) if url.startswith(("http", "file"))] == [address]


def test_the_keyboard_unfolds_a_loop(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.get(address)
    report = browser.find_element("css selector", "#loop-1")
    kernel = report.find_element("css selector", "pre.cuda")
    assert not kernel.is_displayed()
    for _ in range(60):
        focused = browser.switch_to.active_element
        if focused.tag_name == "summary" and "line 13, main" in focused.text:
            break
        focused.send_keys(Keys.TAB)
    outline = focused.value_of_css_property("outline-style")
    focused.send_keys(Keys.ENTER)
    assert outline != "none" and report.get_attribute("open") is not None
    assert kernel.is_displayed() and "__global__ void main_a" in kernel.text
    focused.send_keys(Keys.SPACE)
    assert not kernel.is_displayed()


def test_a_link_to_a_loop_opens_it(browser: Any, address: str) -> None:
    browser.get("about:blank")
    browser.get(f"{address}#loop-1")
    assert browser.find_element("css selector", "#loop-1 pre.cuda").is_displayed()
    button = browser.find_element("css selector", ".index button")
    button.click()
    assert all(e.get_attribute("open") is not None for e in browser.find_elements("css selector", "details.report"))
    assert button.get_attribute("aria-expanded") == "true"


def shown_rows(browser: Any) -> list[str]:
    """The states of the loops in the list."""
    rows = browser.find_elements("css selector", "tr[data-loop]")
    return [row.get_attribute("data-state") for row in rows if row.is_displayed()]


def test_loops_are_filtered_and_the_address_says_how(browser: Any, address: str) -> None:
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    def comes(fragment: str) -> bool:
        return bool(WebDriverWait(browser, 5).until(lambda _: browser.current_url == f"{address}{fragment}"))

    browser.get("about:blank")
    browser.get(f"{address}#state=host")
    assert shown_rows(browser) == ["host", "host", "host"]
    assert not browser.find_element("id", "loop-1").is_displayed()
    assert browser.find_element("css selector", ".filter output").text == "3 of 4 loops"
    browser.switch_to.active_element.send_keys("/")
    search = browser.switch_to.active_element
    assert search.get_attribute("type") == "search"
    search.send_keys("ITERATIONS 'sum'")
    assert shown_rows(browser) == ["host"] and comes("#q=ITERATIONS+%27sum%27&state=host")
    browser.find_element("css selector", "tr[data-loop]:not([hidden]) a").click()
    assert comes("#loop-2&q=ITERATIONS+%27sum%27&state=host") and shown_rows(browser) == ["host"]
    assert browser.find_element("id", "loop-2").get_attribute("open") is not None
    browser.find_element("css selector", ".filter .clear").send_keys(Keys.ENTER)
    assert len(shown_rows(browser)) == 4 and comes("#loop-2")
    browser.back()
    assert comes("#q=ITERATIONS+%27sum%27&state=host") and shown_rows(browser) == ["host"]
    assert search.get_attribute("value") == "ITERATIONS 'sum'"
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("fragment", ["#loop-1", "#loop-1&state=proved"])
def test_a_line_that_a_reason_names_is_shown(browser: Any, address: str, fragment: str) -> None:
    """Also within a loop whose report shows its lines in their place."""
    browser.get("about:blank")
    browser.get(f"{address}{fragment}")
    line = browser.find_element("id", "file-1-15")
    assert not line.is_displayed()
    browser.execute_script("location.hash = '#file-1-15'")
    browser.execute_async_script("setTimeout(arguments[0], 50)")
    assert line.is_displayed()


LONG = "a_name_that_is_as_long_as_names_in_generated_programs_can_be"
WIDE = f"""
struct {LONG} {{ double *{LONG}; int {LONG}s; }};
void {LONG}(struct {LONG} *s, double **rows, float *p, const float *q, int n)
{{
    #pragma omp parallel for
    for (int i = 0; i < s->{LONG}s; i++) {{ s->{LONG}[i] = rows[i][0]; p[i] = q[i]; }}
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[i] = {LONG}_of(q[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[(int)q[i]] = i;
}}
"""


@pytest.fixture(scope="module")
def wide_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("wide")
    file = directory / "readiness.html"
    texts = {f"{LONG}_{k}": f"float {LONG}_of(float);" + WIDE.replace(f"void {LONG}", f"void f{k}") for k in range(2)}
    file.write_text(page(readiness(directory, **texts)), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("width", [320, 700, 1400])
@pytest.mark.parametrize("which", ["address", "wide_address"])
def test_the_page_never_scrolls_sideways(browser: Any, which: str, width: int, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue(which)
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(address)
    browser.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    wider = "e.clientWidth && e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX != 'visible'"
    found = f"return [...document.querySelectorAll('.panel *')].filter((e) => {wider}).map((e) => e.outerHTML)"
    assert browser.execute_script(found) == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("which", ["address", "wide_address"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(browser: Any, which: str, scheme: str, request: pytest.FixtureRequest) -> None:
    """Contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3) of all kinds of words in the listing and of the badges."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(request.getfixturevalue(which))
    browser.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    found = browser.execute_script(CONTRASTS)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert len(found) > 20 and {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


CONTRASTS = """
const part = (c) => (c /= 255, c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const found = {};
for (const e of document.querySelectorAll("i, .badge, .gist, .n, .kicker, h3, a, td, p, summary, .tried, .count")) {
  let at = e, behind = [0, 0, 0, 0];
  for (; at && !(behind[3] ?? 1); at = at.parentElement) behind = rgb(getComputedStyle(at).backgroundColor);
  if (!(behind[3] ?? 1)) behind = rgb(getComputedStyle(document.body).backgroundColor);
  const [one, other] = [light(rgb(getComputedStyle(e).color)), light(behind)];
  const name = `${e.tagName}.${e.className} on ${behind}`;
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  found[name] = Math.min(ratio, found[name] ?? 99);
}
return found;
"""


@pytest.mark.parametrize("scripts", [True, False])
def test_print_has_all_that_unfolds(browser: Any, address: str, scripts: bool, tmp_path: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    browser.get(address)
    data = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    (tmp_path / "print.pdf").write_bytes(data)
    text = text_of(tmp_path / "print.pdf")
    for words in ("__global__voidmain_a", "ompc_launch_main_a(", "intseen[N];", "OMPC331", "Whattodo."):
        assert words in text, words


def text_of(pdf: Path) -> str:
    """Without white space, which PDF does not have."""
    from pypdf import PdfReader

    return re.sub(r"\s", "", "".join(each.extract_text() for each in PdfReader(pdf).pages))
