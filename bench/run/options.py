"""The options of a run: declared once for every front door, checked before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.domain import DEFAULT_DOMAIN, Domain, DriverOptions, get_domain
from bench.errors import InputError
from bench.near import unknown
from bench.protocol import PAPER, Settings, parse_budget
from bench.run.select import Selection

PROTOCOLS = ("paper", "variant")
SESSION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,119}")
RUNS_DIR = "runs"

Add = Callable[..., Any]
"""What declares one option: an argparse parser's or a pytest group's method."""

RUN, CLIENT, VARIANT = "what to run", "how the model is asked", "protocol variants"


def declare(group: Callable[[str], Add]) -> None:
    """Declare every option; `group` gives what declares an option of a titled group."""
    _declare_run(group(RUN))
    _declare_client(group(CLIENT))
    _declare_variants(group(VARIANT))


def _declare_run(add: Add) -> None:
    add("--domain", default=DEFAULT_DOMAIN, metavar="NAME", help=f"default: {DEFAULT_DOMAIN}")
    add("--model", metavar="NAME", help="baseline, baseline:NAME, scripted:PATH, or a model")
    add("--budget", default=PAPER.budget, help="strict (default), loose, or a factor such as 1.5x")
    add("--driver", metavar="NAME", help="what executes the designs (default: the domain's first)")
    add("--native-profile", metavar="FILE", help="native driver: what the game looks like (TOML)")
    add("--native-layouts", metavar="DIR", help="native driver: your layout files, one a level")
    add("--native-displays", metavar=":1,:2", help="native driver: X displays, one a worker")
    add("--runs-dir", default=RUNS_DIR, metavar="DIR", help=f"where sessions are ({RUNS_DIR})")
    add("--session", metavar="NAME", help="the session's name (default: time, model, budget)")
    add("--resume", action="store_true", help="continue the session given by --session")
    add("--family", action="append", metavar="F[,F]", help="only levels of these families")
    add("--select", action="append", metavar="TAG[,TAG]", help="only levels with one of these tags")
    add("--samples", type=int, default=1, metavar="K", help="episodes a level (default: 1)")
    add("--limit", type=int, metavar="N", help="only the first N levels")
    add("--shuffle", type=int, metavar="SEED", help="run the levels in a random order")
    add("--capacity", action="store_true", help="record how much more a success carries")
    add("--levels-dir", metavar="DIR", help="read the levels from another folder")
    add(
        "--dry-run",
        action="store_true",
        help="write the first prompts and bound tokens and dollars, without a call",
    )
    add(
        "--report-only",
        action="store_true",
        help="exit 0 although levels were lost, unless an episode is an infra_error",
    )


def _declare_client(add: Add) -> None:
    add("--base-url", metavar="URL", help="the endpoint, such as http://127.0.0.1:8000/v1")
    add("--models-file", metavar="FILE", help="a TOML file that adds or overrides models")
    add("--model-arg", action="append", metavar="KEY=VALUE", help="a setting for this run")
    add("--max-concurrency", type=int, metavar="N", help="requests at once, over all workers")
    add("--requests-per-minute", type=int, metavar="N", help="requests a minute, all workers")
    add("--max-cost", type=float, metavar="USD", help="stop before the session costs more")
    add("--replay", metavar="SESSION", help="answer from the records of this session folder")


def _declare_variants(add: Add) -> None:
    p = PAPER
    add("--protocol", default="paper", help="paper (default), or variant to allow changes")
    add("--calls", type=int, default=p.calls, help=f"calls an episode (default: {p.calls})")
    add(
        "--attempts",
        type=int,
        default=p.attempts,
        help=f"physics attempts an episode (default: {p.attempts})",
    )
    add("--feedback", default=p.feedback, help=f"{p.feedback} (default), text, frames or none")
    add("--frames", type=int, default=p.frames, metavar="N", help=f"frames shown ({p.frames})")
    add(
        "--window",
        type=float,
        default=p.window_s,
        metavar="S",
        help=f"seconds of physics ({p.window_s:g})",
    )
    add(
        "--image", default=p.image, help=f"{p.image} (default), blank, or other-level: what is sent"
    )
    add("--skill", metavar="FILE", help="text that is added to the instructions")
    add("--anonymous-levels", action="store_true", help="hide the levels' names from the model")
    add("--no-images", action="store_true", help="send no pictures")
    add("--ask-confidence", action="store_true", help="ask for a confidence")
    add("--world-facts", action="store_true", help="tell the model the physics constants")
    add("--plain-frames", action="store_true", help="show frames without the members' forces")


@dataclass(frozen=True)
class RunOptions:
    """The options of a run, checked as far as they can be without any file.

    `settings` is what the protocol may vary; `client` the options of
    `bench.clients.options.ClientOptions` without the session's; `own` the domain's own.
    """

    domain: Domain
    model: str
    settings: Settings
    driver: str
    runs_dir: Path
    session: str | None = None
    resume: bool = False
    selection: Selection = field(default_factory=Selection)
    protocol: str = "paper"
    displays: tuple[str, ...] = ()
    own: Mapping[str, Any] = field(default_factory=dict)
    client: Mapping[str, Any] = field(default_factory=dict)

    @property
    def budget(self) -> str:
        """The budget condition."""
        return self.settings.budget

    @property
    def samples(self) -> int:
        """Episodes a level."""
        return self.selection.samples

    @property
    def levels_dir(self) -> Path | None:
        """Where the levels are, None for the domain's own."""
        return self.selection.root

    def driver_options(self, session: Path | None = None, worker: int = 0) -> DriverOptions:
        """What the driver of a worker is made with."""
        return DriverOptions(self.driver, self.settings.window_s, session, worker, own=self.own)

    def client_options(self, session: Path) -> dict[str, Any]:
        """The options of the client; workers share its limits in the session's folder."""
        from bench.records.layout import LIMITS

        return {**self.client, "limits_folder": session / LIMITS}


def read_options(get: Callable[[str], Any]) -> RunOptions:
    """The options of a run; `get` gives an option's value by its name with underscores.

    Raises InputError with one line for the first fault.
    """
    domain = get_domain(get("domain"))
    for name in ("samples", "limit"):
        value = get(name)
        if value is not None and value < 1:
            raise InputError(f"--{name} {value} must be at least 1")
    settings = _settings(get)
    driver = get("driver") or domain.drivers[0]
    if driver not in domain.drivers:
        raise InputError(unknown("--driver", driver, domain.drivers))
    if get("protocol") not in PROTOCOLS:
        raise InputError(unknown("--protocol", get("protocol"), PROTOCOLS))
    _check_session(get("session"), get("resume"))
    options = RunOptions(
        domain=domain,
        model=get("model"),
        settings=settings,
        driver=driver,
        runs_dir=Path(get("runs_dir")),
        session=get("session"),
        resume=get("resume"),
        selection=selection(get),
        protocol=get("protocol"),
        displays=words(get("native_displays")) or (),
        own=_own(get),
        client=_client(get),
    )
    _check_supported(options, get)
    variants = settings.variants()
    if variants and options.protocol == "paper":
        raise InputError(
            f"{', '.join(variants)} changes the protocol; add --protocol variant to allow it "
            "(the session is marked and shares no table with the paper's protocol)"
        )
    return options


def selection(get: Callable[[str], Any]) -> Selection:
    """Which levels the options ask for; nothing is looked up."""
    return Selection(
        families=words(*get("family") or ()),
        tags=words(*get("select") or ()),
        limit=get("limit"),
        shuffle=get("shuffle"),
        samples=get("samples"),
        root=_path(get("levels_dir")),
    )


def words(*texts: str | None) -> tuple[str, ...] | None:
    """The words of comma-separated lists, None for none."""
    found = [word.strip() for text in texts if text for word in text.split(",")]
    return tuple(found) or None


def _settings(get: Callable[[str], Any]) -> Settings:
    return Settings(
        budget=parse_budget(get("budget"))[0],
        calls=get("calls"),
        attempts=get("attempts"),
        feedback=get("feedback"),
        frames=get("frames"),
        window_s=get("window"),
        images=not get("no_images"),
        image=get("image"),
        anonymous=get("anonymous_levels"),
        skill=_read_skill(get("skill")),
        ask_confidence=get("ask_confidence"),
        world_facts=get("world_facts"),
        plain_frames=get("plain_frames"),
    )


def _own(get: Callable[[str], Any]) -> dict[str, Any]:
    """What a domain's task and drivers may be told beside the settings."""
    names = ("capacity", "native_profile", "native_layouts", "native_displays")
    return {name: get(name) for name in names}


def _client(get: Callable[[str], Any]) -> dict[str, Any]:
    return {
        "base_url": get("base_url"),
        "models_file": _path(get("models_file")),
        "model_args": tuple(get("model_arg") or ()),
        "no_images": get("no_images"),
        "max_concurrency": get("max_concurrency"),
        "requests_per_minute": get("requests_per_minute"),
        "max_cost_usd": get("max_cost"),
        "replay": _path(get("replay")),
    }


def _check_session(name: str | None, resume: bool) -> None:
    if name is not None and not SESSION_NAME.fullmatch(name):
        raise InputError(
            f"--session {name!r} must be a plain name of letters, digits and . _ + -, "
            "at most 120 long; --runs-dir says where it is"
        )
    if resume and name is None:
        raise InputError("--resume needs --session NAME, the session to continue")


def _check_supported(options: RunOptions, get: Callable[[str], Any]) -> None:
    """Refuse what the domain has no meaning for, and what its driver cannot do."""
    for option, reason in options.domain.unsupported.items():
        value = get(option.removeprefix("--").replace("-", "_"))
        if value not in (None, False):
            raise InputError(
                f"{option} means nothing in the domain {options.domain.name}: {reason}"
            )
    refused = options.domain.refuses(options.driver, options.settings)
    if refused is not None:
        raise InputError(refused)


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def _read_skill(name: str | None) -> str:
    if name is None:
        return ""
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--skill {name}: cannot be read ({error})") from None
