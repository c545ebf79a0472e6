"""Every error that this project raises on purpose.

    BenchError
    |-- InputError            what the user asked for cannot be done (exit 4)
    |   |-- LevelError        a level file is missing, broken or unknown
    |   |-- ModelError        a model name or profile is unknown or wrong
    |   `-- SessionError      a session exists, is locked, or does not fit
    |-- SaveError             a save payload or layout file cannot be read
    |-- RecordError           a record on disk is missing, broken or of another schema
    |-- ClientError           no complete answer after all retries (an infra_error)
    |   `-- FatalClientError  authentication, quota, unknown model: the run stops
    |-- BudgetReached         the next call could pass --max-cost: the run stops, the rest is left
    `-- DriverError           a driver's own fault, never a scored failure

Bad model output is data, not an error: see `bench.task.Violation`.
A message names the value, the limit and what to do.
"""


class BenchError(Exception):
    """Base of all errors that this project raises on purpose."""


class InputError(BenchError):
    """What the user asked for cannot be done; pytest ends with exit code 4."""


class LevelError(InputError):
    """A level file is missing, broken or unknown."""


class ModelError(InputError):
    """A model name or a model profile is unknown or wrong."""


class SessionError(InputError):
    """A session folder exists already, is locked, or does not fit the options."""


class SaveError(BenchError):
    """A save payload or a layout file cannot be read; says which and where."""


class RecordError(BenchError):
    """A record on disk is missing, broken or written by another schema."""


class ClientError(BenchError):
    """No complete answer came back after all retries: the episode is an infra_error.

    `kind` names the fault (a key of `bench.clients.faults.RULES`), "" where it has no name.
    """

    def __init__(self, message: str = "", *, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


class FatalClientError(ClientError):
    """Trying again cannot help (authentication, quota, unknown model): the run stops."""


class BudgetReached(BenchError):
    """The next call could cost more than `--max-cost` leaves: the run stops before it.

    Nothing was sent and nothing is scored; the episode is left for a resume.
    """


class DriverError(BenchError):
    """A driver's own fault; the episode is an infra_error, never a failure of the model."""
