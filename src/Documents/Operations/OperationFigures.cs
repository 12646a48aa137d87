using System.Text.Json;

namespace Jackdaw.Documents.Operations;

/// <summary>What an operation shows of itself while it runs and when it is complete. The worker changes it, any thread reads it.</summary>
public abstract class OperationFigures
{
    /// <summary>Writes an object, with its member <c>$type</c>.</summary>
    public abstract void WriteProgress(Utf8JsonWriter json);

    /// <inheritdoc cref="WriteProgress"/>
    public abstract void WriteResult(Utf8JsonWriter json);
}
