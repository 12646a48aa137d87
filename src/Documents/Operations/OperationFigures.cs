using System.Text.Json;

namespace Jackdaw.Documents.Operations;

/// <summary>What an operation shows of itself while it runs and when it is complete. The worker changes it, any thread reads it.</summary>
public abstract class OperationFigures
{
    /// <summary>Name of the result's type, as clients know it.</summary>
    public abstract string ResultType { get; }

    /// <summary>Writes members of an object: how far the operation has come.</summary>
    public abstract void WriteProgress(Utf8JsonWriter json);

    /// <summary>Writes members of an object: what the operation has done.</summary>
    public abstract void WriteResult(Utf8JsonWriter json);
}
