"""The definitions on which both backends must agree to the bit."""

from .network import *
from .nodes import *
from .numbers import *
from .records import *
from .settings import *
from .solver import *
from .static_function import *
