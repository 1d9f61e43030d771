"""The real ``evaluate`` against the loopback Hub and the modules cache: by name, by bare name, offline, broken.

Importing ``evaluate`` takes seconds, so each program below does many things and the tests look at what it found. Its
own code is not ours to change: what it does with a broken download is written down here, with the remedy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dibimt_metric.version import VERSION
from dibimt_tools.hub.install import _modules
from dibimt_tools.hub.repositories import RepositoryType, Stage
from tests.hub.clients import client_environment, run_python
from tests.hub.loopback import LoopbackHub, put
from tests.hub.loopback_faults import Cut, Fault, Spoil, Status

pytestmark = pytest.mark.slow

PRELUDE = '''
import importlib, json, os, shutil, sys
from pathlib import Path
sys.modules["transformers"] = None  # evaluate then imports in a third of the time
import evaluate
del sys.modules["transformers"]
from datasets import DownloadConfig

GERMAN = {
    "predictions": ["Wir saßen am Ufer.", "Er ging zur Bank.", "Es regnet."],
    "references": [{"good": ["Ufer"], "bad": ["Bank"]}] * 3,
}
SLOVENE = {  # its dictionary is the smallest
    "predictions": ["Sedel je na bregu.", "Šel je v banko.", "Dežuje."],
    "references": [{"language": "sl", "good": ["breg"], "bad": ["banka"]}] * 3,
}
found = {}

def copies(name):
    """Number of Python files in each copy of the modules cache."""
    folder = Path(os.environ["HF_HOME"], "modules/evaluate_modules/metrics", name)
    return {path.name: len(list(path.glob("*.py"))) for path in folder.glob("?" * 64)}

def loaded(name, language="sl", **options):
    """A metric as a fresh process would load it."""
    for module in [each for each in sys.modules if each.startswith("evaluate_modules.")]:
        del sys.modules[module]
    importlib.invalidate_caches()
    return evaluate.load(name, language, **options)

def attempt(name, **options):
    """Which copy was loaded and what it computes, or the error."""
    try:
        metric = loaded(name, **options)
        result = metric.compute(**SLOVENE)
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    *_, folder, copy, _ = type(metric).__module__.split(".")
    return {"folder": folder, "copy": copy, "accuracy": result["accuracy"], "signature": result["signature"]}

def offline(value):
    evaluate.config.HF_EVALUATE_OFFLINE = value
'''
FINISH = "\nprint(json.dumps(found))\n"


def client(scratch: Path, hub: LoopbackHub | None, code: str, *arguments: str) -> Any:
    """What the program found."""
    environment = client_environment(scratch, hub, PYTHONDONTWRITEBYTECODE="")
    (scratch / "work").mkdir(exist_ok=True)
    return run_python(PRELUDE + code + FINISH, environment, scratch / "work", *arguments)


def is_good(outcome: dict[str, Any]) -> bool:
    """Whether an attempt computed 1 GOOD, 1 BAD, 1 MISS: an accuracy of 1 / 2."""
    return outcome.get("accuracy") == 100 * 1 / 2


# By the name of the Space

ONLINE = '''
hub = "user--dibimt"
metric = loaded("user/dibimt", "de")
found["result"] = metric.compute(**GERMAN)
found["copies"] = copies(hub)
(copy,) = found["copies"]
folder = Path(os.environ["HF_HOME"], "modules/evaluate_modules/metrics", hub, copy)
found["files"] = sorted(path.name for path in folder.glob("*.py"))

evaluate.save("result.json", **found["result"], model="none")
found["saved"] = json.loads(Path("result.json").read_text())

Path("length").mkdir()
Path("length/length.py").write_text("""
import datasets
import evaluate

class Length(evaluate.Metric):
    def _info(self):
        lists = datasets.Sequence(datasets.Value("string"))
        references = {"language": datasets.Value("string"), "good": lists, "bad": lists}
        features = datasets.Features({"predictions": datasets.Value("string"), "references": references})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references):
        return {"length": sum(map(len, predictions)) / len(predictions)}
""")
both = evaluate.combine(["user/dibimt", "./length"])
found["combined"] = both.compute(**SLOVENE)

from huggingface_hub import HfApi
HfApi().create_repo("user/model")
pushed = {
    "model_id": "user/model", "task_type": "translation",
    "dataset_type": "user/dibimt", "dataset_name": "DiBiMT, open mini set", "dataset_config": "en-de",
    "dataset_split": "test", "dataset_revision": "0123abc",
    "metric_type": "user/dibimt", "metric_name": "DiBiMT accuracy (de)", "metric_config": "de",
    "metric_args": {"weighting": "macro"},
}
def push(value, **options):
    try:
        evaluate.push_to_hub(**(pushed | options), metric_value=value)
    except Exception as error:
        return type(error).__name__
    return "pushed"
accuracy = found["result"]["accuracy"]
found["push"] = [
    push(accuracy),
    push(12.5),
    push(12.5, overwrite=True),
    push(found["result"]["miss_rate"], metric_name="DiBiMT miss rate (de)"),
    push(accuracy, model_id="user/no-such-model"),
    push(accuracy, dataset_type="user/no-such-data-set"),
    push(accuracy, task_type="word-sense-disambiguation"),
]

rules = folder / "rules_de.py"
whole = rules.read_bytes()
rules.unlink()
found["missing"] = attempt("user/dibimt")
rules.write_bytes(whole[: len(whole) // 2])
shutil.rmtree(folder / "__pycache__", ignore_errors=True)
found["cut"] = attempt("user/dibimt")
found["cut, redownload"] = attempt("user/dibimt", download_mode="force_redownload")
'''

OFFLINE = """
found["whole"] = attempt("user/dibimt")
hub = Path(os.environ["HF_HOME"], "modules/evaluate_modules/metrics/user--dibimt")
(copy,) = copies("user--dibimt")
(hub / copy / "rules_de.py").unlink()
found["missing"] = attempt("user/dibimt")
found["bare"] = attempt("dibimt")
"""


class Named:
    """What happened under the name of the Space."""

    def __init__(self, scratch: Path, stage: Stage) -> None:
        with LoopbackHub() as hub:
            put(hub, stage)
            self.online = client(scratch, hub, ONLINE)
            self.paths = [(request.method, request.path, request.status) for request in hub.requests]
            self.model = hub.repos["model", "user/model"].files()["README.md"].decode()
        self.offline = client(scratch, None, OFFLINE)


@pytest.fixture(scope="module")
def named(staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> Named:
    return Named(tmp_path_factory.mktemp("named"), staged)


def test_load_and_compute(named: Named) -> None:
    result = named.online["result"]
    # Of three translations one is GOOD, one BAD, one MISS.
    assert (result["n"], result["good"], result["bad"], result["miss"]) == (3, 1, 1, 1)
    assert result["accuracy"] == 100 * 1 / 2
    assert ("GET", "/spaces/user/dibimt/resolve/main/dibimt.py", 200) in named.paths


def test_install_writes_what_evaluate_copies(named: Named) -> None:
    assert set(named.online["files"]) - {"__init__.py"} == _modules().keys()


def test_offline_again(named: Named) -> None:
    assert is_good(named.offline["whole"])
    assert named.offline["whole"]["folder"] == "user--dibimt"
    assert named.offline["bare"]["error"] == "FileNotFoundError"  # the bare name is another one


def test_save(named: Named) -> None:
    assert named.online["result"].items() <= named.online["saved"].items()
    assert named.online["saved"]["_evaluate_version"] and named.online["saved"]["model"] == "none"


def test_combine(named: Named) -> None:
    # 18, 15 and 7 characters.
    assert named.online["combined"]["length"] == (18 + 15 + 7) / 3
    assert named.online["combined"]["accuracy_sl"] == 100 * 1 / 2


def test_push_to_hub(named: Named) -> None:
    _, front, _ = named.model.split("---", 2)
    (model,) = yaml.safe_load(front)["model-index"]
    assert model["name"] == "user/model"
    (result,) = model["results"]
    assert result["task"] == {"type": "translation"}
    assert result["dataset"] == {
        "type": "user/dibimt",
        "name": "DiBiMT, open mini set",
        "config": "en-de",
        "split": "test",
        "revision": "0123abc",
    }
    accuracy, misses = result["metrics"]
    assert accuracy == {
        "type": "user/dibimt",
        "name": "DiBiMT accuracy (de)",
        "value": 12.5,  # overwritten
        "config": "de",
        "args": {"weighting": "macro"},
    }
    assert (misses["name"], misses["value"]) == ("DiBiMT miss rate (de)", pytest.approx(100 * 1 / 3))


def test_push_to_hub_refusals(named: Named) -> None:
    first, again, overwritten, another, no_model, no_data, no_task = named.online["push"]
    assert (first, again, overwritten, another) == ("pushed", "ValueError", "pushed", "pushed")
    # evaluate means to say ValueError, and to go on with a warning; it does not know the errors of huggingface_hub 1+.
    assert (no_model, no_data) == ("RepositoryNotFoundError", "RepositoryNotFoundError")
    assert no_task == "ValueError"


def test_half_written_copy_of_evaluate(named: Named) -> None:
    """A process was killed while ``evaluate`` copied: what the next load makes of it."""
    assert is_good(named.online["missing"])  # online it copies what is missing
    assert named.online["cut"]["error"] in ("SyntaxError", "ImportError")  # but never looks at what is there
    assert is_good(named.online["cut, redownload"])  # the remedy: download_mode="force_redownload"
    assert named.offline["missing"]["error"] == "ModuleNotFoundError"


# By the bare name

BARE = """
from dibimt_tools.hub.install import install, uninstall
name = "evaluate-metric--dibimt"
found["before"] = attempt("dibimt")
done = install()
found["installed"] = done.path.name
found["loaded"] = attempt("dibimt")

(done.path / "rules_de.py").unlink()
found["missing"] = attempt("dibimt")
found["mended"] = install().mended
found["after missing"] = attempt("dibimt")
whole = (done.path / "rules_de.py").read_bytes()
(done.path / "rules_de.py").write_bytes(whole[: len(whole) // 2])
found["cut"] = attempt("dibimt")
install()
found["after cut"] = attempt("dibimt")

theirs = done.path.with_name("f" * 64)
theirs.mkdir()
(theirs / "dibimt.py").write_text("raise RuntimeError('the other copy')")
found["other is newer"] = attempt("dibimt")
install()
found["other is older"] = attempt("dibimt")
(theirs / "dibimt.py").unlink()
found["other without script"] = attempt("dibimt")
found["blocking"] = [path.name for path in install().blocking]
shutil.rmtree(theirs)

found["removed"] = [copy.path.name for copy in uninstall().removed]
found["after"] = attempt("dibimt")
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found: dict[str, Any] = client(tmp_path_factory.mktemp("bare"), None, BARE)
    return found


def test_install_makes_the_bare_name_load_offline(bare: dict[str, Any]) -> None:
    assert bare["before"]["error"] == "FileNotFoundError"
    assert is_good(bare["loaded"])
    assert (bare["loaded"]["folder"], bare["loaded"]["copy"]) == (
        "evaluate-metric--dibimt",
        bare["installed"],
    )
    assert f"|version:{VERSION}" in bare["loaded"]["signature"]


def test_install_mends_a_half_written_copy(bare: dict[str, Any]) -> None:
    assert bare["missing"]["error"] == "ModuleNotFoundError"
    assert bare["mended"] == ["rules_de.py"]
    assert bare["cut"]["error"] in ("SyntaxError", "ImportError")
    assert is_good(bare["after missing"]) and is_good(bare["after cut"])


def test_the_newest_copy_loads(bare: dict[str, Any]) -> None:
    assert bare["other is newer"]["message"] == "the other copy"
    assert bare["other is older"]["copy"] == bare["installed"]


def test_a_copy_without_script_blocks_all(bare: dict[str, Any]) -> None:
    """``evaluate`` asks each copy for the time of its script, and gives up where there is none."""
    assert bare["other without script"]["error"] == "FileNotFoundError"
    assert bare["blocking"] == ["f" * 64]


def test_uninstall(bare: dict[str, Any]) -> None:
    assert bare["removed"] == [bare["installed"]]
    assert bare["after"]["error"] == "FileNotFoundError"


BARE_ONLINE = """
from dibimt_tools.hub.install import install
from huggingface_hub import HfApi
done = install()
found["installed"] = done.path.name
found["404"] = attempt("dibimt")
token = os.environ.pop("HF_TOKEN")
found["401"] = attempt("dibimt")
os.environ["HF_TOKEN"] = token

api = HfApi()
api.create_repo("evaluate-metric/dibimt", repo_type="space", space_sdk="gradio")
api.upload_folder(repo_id="evaluate-metric/dibimt", repo_type="space", folder_path=sys.argv[1])
found["space"] = attempt("dibimt")
offline(True)
found["space, offline"] = attempt("dibimt")
again = install()
found["again"] = [again.path.name, [path.name for path in again.others]]
found["installed again, offline"] = attempt("dibimt")
offline(False)
found["installed again"] = attempt("dibimt")

shutil.copytree(sys.argv[1], "dibimt")
found["folder"] = attempt("dibimt")
"""


@pytest.fixture(scope="module")
def bare_online(staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    scratch = tmp_path_factory.mktemp("bare-online")
    space = scratch / "space"
    (repository,) = (each for each in staged.repositories if each.type is RepositoryType.SPACE)
    space.mkdir()
    for file in repository.branches[0].files:
        content = staged.path(repository, "main", file.path).read_bytes()
        if file.path == "version.py":
            content = content.replace(f'VERSION = "{VERSION}"'.encode(), b'VERSION = "9.9.9"')
        (space / file.path).parent.mkdir(exist_ok=True)
        (space / file.path).write_bytes(content)
    with LoopbackHub(organizations=("evaluate-metric",)) as hub:
        found = client(scratch, hub, BARE_ONLINE, str(space))
        found["asked"] = sorted({status for _, path, status in hub.requests if "/resolve/" in path})
    yield found


@pytest.mark.parametrize("answer", ["401", "404"])
def test_bare_name_with_a_hub_that_has_no_such_space(bare_online: dict[str, Any], answer: str) -> None:
    assert int(answer) in bare_online["asked"]
    assert is_good(bare_online[answer]) and bare_online[answer]["copy"] == bare_online["installed"]


def test_a_space_of_the_bare_name_wins(bare_online: dict[str, Any]) -> None:
    found = bare_online["space"]
    assert is_good(found) and "|version:9.9.9" in found["signature"]
    assert found["folder"] == "evaluate-metric--dibimt" and found["copy"] != bare_online["installed"]
    # Its copy is then the newest, until install is run again.
    assert bare_online["space, offline"]["copy"] == found["copy"]
    ours, others = bare_online["again"]
    assert others == [found["copy"]]
    assert bare_online["installed again, offline"]["copy"] == ours
    assert bare_online["installed again"]["copy"] == found["copy"]


def test_a_folder_in_the_working_directory_wins_over_both(bare_online: dict[str, Any]) -> None:
    assert is_good(bare_online["folder"]) and bare_online["folder"]["folder"] == "dibimt"


# Downloads that fail

FAULTY = """
for namespace in sys.argv[1:]:
    name, steps = f"{namespace}/dibimt", {}
    steps["first"] = attempt(name)
    steps["copies"] = copies(f"{namespace}--dibimt")
    steps["second"] = attempt(name)
    if namespace == "get-500":
        steps["redownload"] = attempt(name, download_mode="force_redownload")
    if "error" in steps["second"] or namespace == "spoilt":
        steps["forced"] = attempt(name, download_config=DownloadConfig(force_download=True))
        offline(True)
        steps["offline"] = attempt(name)
        offline(False)
    found[namespace] = steps
"""

SIBLING = "/spaces/{}/dibimt/resolve/main/rules\\.py$"
SCRIPT = "/spaces/{}/dibimt/resolve/main/dibimt\\.py$"
HARMLESS = {
    "cut": Fault("GET", SIBLING, Cut("response")),
    "cut-script": Fault("GET", SCRIPT, Cut("response")),
    "head-500": Fault("HEAD", SIBLING, Status(500)),
}
"""The load fails, nothing is kept of it, the next one succeeds."""
POISONOUS = {
    "get-500": Fault("GET", SIBLING, Status(500)),
    "get-429": Fault("GET", SIBLING, Status(429)),
    "script-500": Fault("GET", SCRIPT, Status(500)),
}
"""``evaluate`` keeps the text of the error as if it were the file: it looks at the status of HEAD only, not of GET."""
SPOILT = {"spoilt": Fault("GET", SIBLING, Spoil())}
"""A byte is another one; ``evaluate`` compares no checksum."""


@pytest.fixture(scope="module")
def faulty(staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    faults = HARMLESS | POISONOUS | SPOILT
    with LoopbackHub() as hub:
        for namespace, fault in faults.items():
            put(hub, staged, namespace=namespace)
            hub.faults.add(Fault(fault.method, fault.path.format(namespace), fault.what))
        found: dict[str, Any] = client(tmp_path_factory.mktemp("faulty"), hub, FAULTY, *faults)
    return found


@pytest.mark.parametrize("fault", HARMLESS)
def test_an_interrupted_download_leaves_nothing(faulty: dict[str, Any], fault: str) -> None:
    error = faulty[fault]["first"]["error"]
    assert error == ("ChunkedEncodingError" if fault.startswith("cut") else "FileNotFoundError")
    assert faulty[fault]["copies"] == {}
    assert is_good(faulty[fault]["second"])


@pytest.mark.parametrize("fault", POISONOUS)
def test_an_error_in_the_middle_is_kept_by_evaluate_as_the_file(faulty: dict[str, Any], fault: str) -> None:
    """It never computes from that: loading fails, in this and every further process, until a download is forced."""
    error = "TypeError" if fault.startswith("script") else "ImportError"
    assert [faulty[fault][step]["error"] for step in ("first", "second")] == [error, error]
    assert is_good(faulty[fault]["forced"])  # the remedy
    assert is_good(faulty[fault]["offline"])  # and for good


def test_download_mode_does_not_help(faulty: dict[str, Any]) -> None:
    assert faulty["get-500"]["redownload"]["error"] == "ImportError"


def test_wrong_bytes_are_not_noticed_by_evaluate(faulty: dict[str, Any]) -> None:
    spoilt = faulty["spoilt"]
    assert spoilt["first"].get("copy") == spoilt["second"].get("copy") != spoilt["forced"]["copy"]
    assert is_good(spoilt["forced"]) and spoilt["offline"] == spoilt["forced"]


def test_faults_do_not_depend_on_each_other(faulty: dict[str, Any]) -> None:
    good = {steps["forced"]["copy"] for steps in faulty.values() if "forced" in steps}
    good |= {faulty[fault]["second"]["copy"] for fault in HARMLESS}
    assert len(good) == 1, json.dumps(faulty, indent=1)
