using System.Text.Json;

namespace Jackdaw.Documents.Operations;

/// <summary>The figures that an operation shows while it runs and when it is complete. The worker changes them, any thread reads them.</summary>
public abstract class OperationFigures
{
    /// <summary>The name by which clients know the type of the result.</summary>
    public abstract string ResultType { get; }

    /// <summary>Writes the members of an object with the progress of the operation.</summary>
    public abstract void WriteProgress(Utf8JsonWriter json);

    /// <summary>Writes the members of an object with the result of the operation.</summary>
    public abstract void WriteResult(Utf8JsonWriter json);
}
