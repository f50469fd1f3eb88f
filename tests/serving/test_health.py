"""Health is public and holds counts only."""

from tests.serving.conftest import Service


def test_a_live_process_says_so(service: Service) -> None:
    assert service.get("/health/live", user=None).json == {"status": "live"}


def test_a_ready_service_names_its_index(service: Service) -> None:
    result = service.get("/health/ready", user=None)
    assert (result.status_code, result.json["status"]) == (200, "ready")
    assert result.json["index_version"] == service.embedder.version


def test_the_graphs_health_is_in_counts(service: Service) -> None:
    service.say("I moved to Lisbon.", user="mallory")
    result = service.get("/health/kg", user=None)
    assert result.json["memories"] == 1
    assert sum(result.json["waiting"].values()) == 1
    assert result.json["oldest_waiting_seconds"] >= 0
    assert "mallory" not in result.text
