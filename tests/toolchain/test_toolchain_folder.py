from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import made_by_hand
import pytest

from ompc.base.diagnostics import CompileError
from ompc.base.resources import Runtime, runtime_files
from ompc.base.translation import Translation
from ompc.toolchain import folder as folder_module
from ompc.toolchain.folder import write_folder


@pytest.fixture
def translated(tmp_path: Path) -> Translation:
    (tmp_path / "src").mkdir()
    return made_by_hand.translation(made_by_hand.write_source(tmp_path / "src"))


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def refusal(translation: Translation, folder: Path, force: bool = False) -> str:
    with pytest.raises(CompileError) as caught:
        write_folder(translation, folder, force)
    assert caught.value.diagnostics[0].code == "OMPC405"
    return caught.value.diagnostics[0].message


def test_the_folder_has_all_it_needs(tmp_path: Path, translated: Translation) -> None:
    out = tmp_path / "deep" / "out"
    write_folder(translated, out, has_runtime=True)
    runtime = {f"ompc_runtime/{name}" for part in (Runtime.COMMON, Runtime.CUDA) for name in runtime_files(part)}
    assert names(out) == {*translated.files, *runtime, ".ompc.json"}
    assert (out / "twice.c").read_text() == translated.files["twice.c"]
    assert [path.name for path in out.parent.iterdir()] == ["out"], "nothing temporary is left"


def test_a_second_translation_replaces_the_first_and_keeps_the_users_files(
    tmp_path: Path, translated: Translation
) -> None:
    out = tmp_path / "out"
    write_folder(translated, out)
    (out / "notes.txt").write_text("mine")
    (out / "sub").mkdir()
    (out / "sub" / "more").symlink_to("../notes.txt")
    files = {name: text for name, text in translated.files.items() if name != "twice.ompc.h"}
    write_folder(replace(translated, files={**files, "twice.cu": "// new\n"}), out)
    assert (out / "twice.cu").read_text() == "// new\n"
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "sub" / "more").is_symlink()
    assert not (out / "twice.ompc.h").exists(), "what ompc no longer writes is gone"


def test_edited_files_are_kept_unless_given_up(tmp_path: Path, translated: Translation) -> None:
    out = tmp_path / "out"
    write_folder(translated, out)
    (out / "twice.cu").write_text("// tuned by hand\n")
    assert "twice.cu" in refusal(translated, out)
    assert (out / "twice.cu").read_text() == "// tuned by hand\n"
    write_folder(translated, out, force=True)
    assert (out / "twice.cu").read_text() == translated.files["twice.cu"]


def test_a_folder_that_is_not_ours_is_refused_even_by_force(tmp_path: Path, translated: Translation) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    refusal(translated, out)
    refusal(translated, out, force=True)
    assert names(out) == {"thesis.tex"}
    (tmp_path / "file").write_text("")
    refusal(translated, tmp_path / "file")


def test_every_byte_of_the_users_text_is_kept(tmp_path: Path, translated: Translation) -> None:
    latin = b"/* caf\xe9 */\r\n".decode(errors="surrogateescape")
    write_folder(replace(translated, files={"twice.c": latin}), tmp_path / "out")
    assert (tmp_path / "out" / "twice.c").read_bytes() == b"/* caf\xe9 */\r\n"


def test_an_empty_folder_is_used(tmp_path: Path, translated: Translation) -> None:
    (tmp_path / "out").mkdir()
    write_folder(translated, tmp_path / "out")
    assert (tmp_path / "out" / "Makefile").exists()


def test_the_current_directory_is_not_pulled_away(
    tmp_path: Path, translated: Translation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    refusal(translated, Path())


def test_a_failure_leaves_the_old_folder_whole(
    tmp_path: Path, translated: Translation, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write_folder(translated, out)
    before = {name: (out / name).read_bytes() for name in names(out)}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder_module, "_keep_other_files", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(translated, out)
    assert {name: (out / name).read_bytes() for name in names(out)} == before
    assert {path.name for path in tmp_path.iterdir()} == {"out", "src"}


def test_a_place_that_cannot_be_written(tmp_path: Path, translated: Translation) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CompileError) as caught:
        write_folder(translated, tmp_path / "file" / "out")
    assert caught.value.diagnostics[0].code == "OMPC411"
