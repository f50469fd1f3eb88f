"""Language models behind an endpoint; none where the settings name none."""

from collections.abc import Mapping

from kg_assets.ports import LanguageModel
from resources.settings import LanguageModelSettings

__all__ = ["build_language_model"]


def build_language_model(settings: LanguageModelSettings, environment: Mapping[str, str]) -> LanguageModel | None:
    """The model that the settings name, or None. Raises `InvalidInput` where they name one and leave something out."""
    if not settings.url:
        return None
    from resources.llm.chat_completions import ChatCompletions, checked

    return ChatCompletions(checked(settings, environment))
