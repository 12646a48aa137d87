namespace Jackdaw.Simulation.Harness;

/// <summary>The storage broke its promise: what a suite looks for.</summary>
internal sealed class SimulationViolationException(string message, Exception? cause = null) : Exception(message, cause);
