using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Vectors;

/// <summary>A vector of a document, which a model has made of a text or a picture. In the document it is <c>{"@vector":[0.1,0.2]}</c>; arrays of numbers and
/// texts in base64 are read, too.</summary>
/// <typeparam name="T"><see cref="float"/>, <see cref="double"/> or <see cref="Half"/> for <see cref="EmbeddingType.Single"/>, <see cref="sbyte"/> for
/// <see cref="EmbeddingType.Int8"/>, <see cref="byte"/> for <see cref="EmbeddingType.Binary"/>.</typeparam>
[JsonConverter(typeof(EmbeddingVectorJson))]
public sealed class EmbeddingVector<T> : IVectorText where T : unmanaged, INumber<T>
{
    /// <param name="embedding">It is not copied.</param>
    public EmbeddingVector(T[] embedding)
    {
        ArgumentNullException.ThrowIfNull(embedding);
        Embedding = embedding;
    }

    /// <summary>The numbers.</summary>
    [JsonPropertyName("@vector")]
    [SuppressMessage("Performance", "CA1819", Justification = "It is the array that the vector was made of; a copy would cost as much as the vector.")]
    public T[] Embedding { get; }

    /// <summary>A vector of these numbers.</summary>
    [return: NotNullIfNotNull(nameof(embedding))]
    [SuppressMessage("Usage", "CA2225", Justification = "The constructor is the other name.")]
    public static implicit operator EmbeddingVector<T>?(T[]? embedding) => embedding is null ? null : new(embedding);

    /// <summary>The numbers of a vector.</summary>
    [return: NotNullIfNotNull(nameof(vector))]
    [SuppressMessage("Usage", "CA2225", Justification = "Embedding is the other name.")]
    public static implicit operator T[]?(EmbeddingVector<T>? vector) => vector?.Embedding;

    void IVectorText.WriteNumbers(System.Text.Json.Utf8JsonWriter json) => VectorText.WriteNumbers<T>(json, Embedding);
}
