"""Logging: structlog for our own events, the standard library's for the libraries'.

Logs name rooms, seats, codes and reasons. They never get a message, a hand, a seed or a token:
values that hold them have no readable repr, and frames are not logged at any level.
"""

from __future__ import annotations

import logging
import sys

import structlog

__all__ = ["configure"]


def configure(*, level: str, style: str) -> None:
    """Send everything from `level` up to standard error, as lines for people or as JSON."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if style == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr is not None and sys.stderr.isatty(),
                # The pretty one prints the values of local variables: hands and tokens, for us.
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    structlog.configure(
        processors=[*shared, *render],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(
        level=number, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s"
    )
    # At DEBUG this library logs every frame, tokens and hands included; at INFO every HTTP answer.
    logging.getLogger("websockets").setLevel(max(number, logging.WARNING))
