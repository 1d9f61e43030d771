"""The metric inside real trainings: the programs of docs/training.md, then what the page says of trainers.

A tiny model learns seven sentences. The programs run once, one after the other, as on the page; the tests go on with
what they have left: trainer, rows, items, tokenizer.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from dibimt_training.changes import make_changes_callback
from dibimt_training.compute_metrics import make_compute_metrics

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

pytestmark = pytest.mark.slow


class Programs:
    """The names that the page's programs made, what they printed, and the folder in which they ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "training"}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            for block in BLOCKS:
                exec(compile(block, "docs/training.md", "exec"), self.names)
        self.printed = [line for line in printed.getvalue().splitlines() if line[:1] not in "{["]

    def __getattr__(self, name: str) -> Any:
        return self.names[name]

    def new_trainer(self, compute_metrics: Any, callbacks: Any = (), **changed: Any) -> Any:
        """A trainer like that of the page, with other arguments."""
        arguments = {
            "output_dir": "other",
            "max_steps": 3,
            "per_device_train_batch_size": 4,
            "per_device_eval_batch_size": 4,
            "learning_rate": 0.01,
            "eval_strategy": "steps",
            "eval_steps": 1,
            "save_strategy": "no",
            "predict_with_generate": True,
            "logging_strategy": "no",
            "report_to": [],
            "disable_tqdm": True,
            "use_cpu": True,
            **changed,
        }
        return self.Seq2SeqTrainer(
            self.new_model(),
            self.Seq2SeqTrainingArguments(**arguments),
            data_collator=self.DataCollatorForSeq2Seq(self.tokenizer),
            train_dataset=self.rows,
            eval_dataset=self.rows,
            processing_class=self.tokenizer,
            compute_metrics=compute_metrics,
            callbacks=list(callbacks),
        )

    def metrics(self, **options: Any) -> Any:
        return make_compute_metrics(self.tokenizer, self.items, "de", **options)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Programs]:
    for library in ("torch", "transformers", "accelerate"):
        pytest.importorskip(library)
    folder, before = tmp_path_factory.mktemp("training"), Path.cwd()
    os.chdir(folder)
    try:
        yield Programs(folder)
    finally:
        os.chdir(before)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# The page


def test_the_programs_print_what_the_page_says(page: Programs) -> None:
    expected = re.findall(r"^print\(.*\)  # (.*)$", "\n".join(BLOCKS), re.MULTILINE)
    assert len(expected) >= 10
    assert page.printed == expected


def test_the_model_learns(page: Programs) -> None:
    assert page.before["eval_good"] == 0 and math.isnan(page.before["eval_accuracy"])
    assert page.after["eval_accuracy"] == 100.0
    assert all(type(value) in (int, float) for value in page.after.values())


def test_the_file_lists_what_was_gained_and_lost(page: Programs) -> None:
    rows = lines(page.folder / "toy" / "dibimt_changes.jsonl")
    assert [row["step"] for row in rows] == [*range(0, 33, 4), 32]
    assert [row["compared_with"] for row in rows] == [None, *range(0, 33, 4)]
    good: set[str] = set()
    for row in rows:
        assert good.isdisjoint(row["gained"]) and good.issuperset(row["lost"])
        good = (good | {*row["gained"]}) - {*row["lost"]}
        assert len(good) == row["good"] == row["labels"].count("G")
    assert good == {item["id"] for item in page.items}


def test_the_best_model_is_loaded(page: Programs) -> None:
    rows = lines(page.folder / "toy" / "dibimt_changes.jsonl")
    best = max(row["good"] for row in rows[1:-1])
    first = next(row["step"] for row in rows[1:] if row["good"] == best)
    assert page.trainer.state.best_metric == best
    assert page.trainer.state.best_model_checkpoint == f"toy/checkpoint-{first}".replace("/", os.sep)
    assert page.after["eval_good"] == best


def test_accuracy_would_choose_an_earlier_model(page: Programs) -> None:
    evaluations = [entry for entry in page.trainer.state.log_history if "eval_accuracy" in entry]
    first = next(entry for entry in evaluations if entry["eval_accuracy"] == 100.0)
    assert first["eval_good"] < 7


def test_the_state_holds_nan_that_python_reads(page: Programs) -> None:
    (path,) = (page.folder / "toy").glob("checkpoint-*/trainer_state.json")
    history = json.loads(path.read_text(encoding="utf-8"))["log_history"]
    evaluations = [entry for entry in history if "eval_accuracy" in entry]
    assert math.isnan(evaluations[0]["eval_accuracy"])
    assert len({tuple(sorted(entry)) for entry in evaluations}) == 1


# What the page says of trainers


def test_undefined_is_never_the_best(page: Programs) -> None:
    trainer = page.new_trainer(
        page.metrics(), max_steps=16, eval_steps=4, save_strategy="steps", save_steps=4,
        load_best_model_at_end=True, metric_for_best_model="accuracy", output_dir="undefined",
    )  # fmt: skip
    trainer.train()
    found = [entry["eval_accuracy"] for entry in trainer.state.log_history if "eval_accuracy" in entry]
    assert math.isnan(found[0]) and not math.isnan(found[-1])
    assert trainer.state.best_metric == max(value for value in found if not math.isnan(value))


def test_undefined_is_no_improvement_for_early_stopping(page: Programs) -> None:
    from transformers import EarlyStoppingCallback

    stopping = EarlyStoppingCallback(early_stopping_patience=2)
    trainer = page.new_trainer(
        page.metrics(), [stopping], max_steps=6, learning_rate=0.0, metric_for_best_model="accuracy",
        load_best_model_at_end=True, save_strategy="steps", save_steps=1, output_dir="stopping",
    )  # fmt: skip
    trainer.train()
    assert trainer.state.global_step == 3


def test_a_missing_key_ends_the_training(page: Programs) -> None:
    trainer = page.new_trainer(
        lambda evaluation: {}, max_steps=1, save_strategy="steps", save_steps=1, output_dir="missing",
        load_best_model_at_end=True, metric_for_best_model="accuracy",
    )  # fmt: skip
    with pytest.raises(KeyError, match="eval_accuracy"):
        trainer.train()


def test_a_resumed_training_goes_on_comparing(page: Programs) -> None:
    options = {"output_dir": "resumed", "eval_steps": 2, "save_strategy": "steps", "save_steps": 2}
    first = page.metrics()
    page.new_trainer(first, [make_changes_callback(first)], max_steps=4, **options).train()
    second = page.metrics()
    callback = make_changes_callback(second)
    trainer = page.new_trainer(second, [callback], max_steps=6, **options)
    trainer.train(resume_from_checkpoint=str(Path("resumed", "checkpoint-2")))
    rows = lines(page.folder / "resumed" / "dibimt_changes.jsonl")
    assert [(row["step"], row["compared_with"]) for row in rows] == [(2, None), (4, 2), (4, 2), (6, 4)]
    assert callback.last.step == 6


def test_forgotten_generation_is_named(page: Programs) -> None:
    with pytest.raises(InputError, match="not an array of float32 of shape .7, .*predict_with_generate=True"):
        page.new_trainer(page.metrics(), predict_with_generate=False).evaluate()


def test_an_order_by_length_is_refused(page: Programs) -> None:
    fields = page.Seq2SeqTrainingArguments.__dataclass_fields__
    option = {"train_sampling_strategy": "group_by_length"}
    trainer = page.new_trainer(
        page.metrics(labels=[row["labels"] for row in page.rows]),
        **(option if "train_sampling_strategy" in fields else {"group_by_length": True}),
    )
    with pytest.raises(InputError, match="is not in the order of the items.*group by length"):
        trainer.evaluate()


def test_batches_that_are_not_joined(page: Programs) -> None:
    together = page.new_trainer(page.metrics()).evaluate()
    apart = page.new_trainer(page.metrics(), eval_do_concat_batches=False).evaluate()
    assert {name: apart[name] for name in apart if name.endswith(("good", "miss", "eval_n"))} == {
        name: together[name] for name in together if name.endswith(("good", "miss", "eval_n"))
    }


def test_predict_is_passed_over_by_the_callback(page: Programs) -> None:
    metrics = page.metrics()
    callback = make_changes_callback(metrics, "predicted.jsonl")
    trainer = page.new_trainer(metrics, [callback])
    assert trainer.predict(page.rows).metrics["test_n"] == 7
    trainer.compute_metrics = lambda evaluation: {"other": 1}
    trainer.evaluate()
    assert callback.last is None and not Path("predicted.jsonl").exists()


def test_another_evaluation_set_is_refused_by_its_size(page: Programs) -> None:
    trainer = page.new_trainer(page.metrics())
    trainer.eval_dataset = {"dibimt": page.rows, "news": page.rows[:3]}
    with pytest.raises(InputError, match="3 predictions for 7 items: .*With several evaluation sets"):
        trainer.evaluate()


# Several processes

OF_EACH_PROCESS = """
import json, os
import torch.distributed
alone = make_compute_metrics(tokenizer, items, "de")
model = trainer.accelerator.unwrap_model(trainer.model)
from torch.nn.utils.rnn import pad_sequence
tokens = pad_sequence([torch.tensor(row["input_ids"]) for row in rows], batch_first=True)
one = alone((model.generate(tokens, attention_mask=tokens != 0, max_length=9), None))
several = {name.removeprefix("eval_"): value for name, value in after.items()}
found = {
    "processes": torch.distributed.get_world_size(),
    # Unlike where each process trains a model of its own, as after an evaluation before the training.
    "parameters": repr(sum(each.abs().sum().item() for each in model.parameters())),
    "one": {name: repr(value) for name, value in one.items()},
    "several": {name: repr(several[name]) for name in one},
    "labels": [judgment.label.value for judgment in compute_metrics.judgments],
    "labels of one": [judgment.label.value for judgment in alone.judgments],
}
with open(f"process{os.environ['RANK']}.json", "w") as file:
    json.dump(found, file)
"""


def test_two_processes_get_the_numbers_of_one(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    (tmp_path / "train.py").write_text(BLOCKS[0] + OF_EACH_PROCESS, encoding="utf-8")
    command = "-m accelerate.commands.launch --multi_gpu --num_processes 2 --num_machines 1".split()
    more = "--mixed_precision no --dynamo_backend no --main_process_port 0 train.py".split()
    run = subprocess.run(
        [sys.executable, *command, *more],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr[-4000:]
    first, second = (json.loads((tmp_path / f"process{rank}.json").read_text()) for rank in (0, 1))
    assert first == second
    assert first["processes"] == 2
    assert first["several"] == first["one"]  # of seven rows, eight predictions came
    assert first["labels"] == first["labels of one"]
    rows = lines(tmp_path / "toy" / "dibimt_changes.jsonl")
    assert [row["step"] for row in rows] == [0, 4, 8, 12, 16, 16]
    assert rows[-1]["after_training"] and rows[-1]["good"] == max(row["good"] for row in rows) > 0
