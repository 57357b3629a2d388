"""People and programs: the HTTP interface and the console of a house of tables."""

from api.access import Actor, Role
from api.app import create_app
from api.context import ApiSettings
from api.server import address_of, bind, serve

__all__ = ["Actor", "ApiSettings", "Role", "address_of", "bind", "create_app", "serve"]
