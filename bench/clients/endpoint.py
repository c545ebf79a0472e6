"""The address that requests go to: checked, without secrets, and how it is reached."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

from bench.errors import ModelError


def read_base_url(text: str, alias: str) -> str:
    """A base URL without a trailing slash. Raises ModelError when it is none.

    Names and passwords in the URL are refused: the URL is recorded.
    """
    if not text.strip():
        raise ModelError(
            f"model {alias} has no base_url; give --base-url, such as http://127.0.0.1:8000/v1"
        )
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise ModelError(f"base_url of model {alias} is no URL: {error}") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ModelError(
            f"base_url of model {alias} holds a user name, a query or a fragment; it is recorded, "
            "so put the key into an environment variable and name that by api_key_env"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ModelError(
            f"base_url = {text!r} of model {alias} must start with http:// or https:// and a "
            "host, such as http://127.0.0.1:8000/v1"
        )
    return urlunsplit((parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"), "", ""))


def host_of(base_url: str) -> str:
    """Host and port of a URL, "" when it has none."""
    try:
        return urlsplit(base_url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def is_loopback(base_url: str) -> bool:
    """Whether the URL's host is this machine."""
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(base_url: str) -> str | None:
    """The environment's proxy for this URL, None for this machine and for NO_PROXY.

    The HTTP library alone would send 127.0.0.1 through HTTP_PROXY as well. The result may
    hold a password and is never recorded.
    """
    parts = urlsplit(base_url)
    if is_loopback(base_url) or proxy_bypass(parts.netloc):
        return None
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
