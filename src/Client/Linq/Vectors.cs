using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Numerics;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Linq;

/// <summary>Where vectors are in documents, or in an index.</summary>
public sealed class VectorField
{
    internal VectorField(VectorPlace place) => Place = place;

    internal VectorPlace Place { get; private set; }

    /// <summary>What the automatic index keeps of each vector: fewer bits need less memory, and rank less exactly.</summary>
    /// <exception cref="InvalidOperationException">The vectors cannot become that.</exception>
    public VectorField TargetQuantization(EmbeddingType type)
    {
        EmbeddingType source = Place.Source ?? throw new InvalidOperationException(
            "The index says what it keeps of its vectors: leave out TargetQuantization, and use DestinationEmbedding in the index.");
        bool isPossible = type != EmbeddingType.Text && (source is EmbeddingType.Single or EmbeddingType.Text || source == type);
        Place = isPossible
            ? Place with { Target = type }
            : throw new InvalidOperationException(
                $"{source} vectors cannot be kept as {type}: numbers can be kept as Single, Int8 or Binary, others as they are.");
        return this;
    }
}

/// <summary>Says where vectors are.</summary>
[SuppressMessage("Performance", "CA1822", Justification = "Users call them on the parameter of their lambda.")]
public sealed class VectorFieldFactory<T>
{
    internal VectorFieldFactory()
    {
    }

    /// <summary>Vectors in documents: arrays of numbers, or <see cref="EmbeddingVector{T}"/>.</summary>
    /// <param name="type">What their numbers are. Null: what the type of the field says, <see cref="EmbeddingType.Int8"/> for <see cref="sbyte"/>,
    /// <see cref="EmbeddingType.Binary"/> for <see cref="byte"/>, <see cref="EmbeddingType.Single"/> for all others.</param>
    public VectorField WithEmbedding(Expression<Func<T, object?>> field, EmbeddingType? type = null)
    {
        ArgumentNullException.ThrowIfNull(field);
        return Of(QueryField.Of(field), NoText(type ?? TypeOf(Expressions.Strip(field.Body).Type)));
    }

    /// <summary>Vectors in documents: arrays of numbers.</summary>
    /// <param name="type">What their numbers are.</param>
    public VectorField WithEmbedding(string field, EmbeddingType type = EmbeddingType.Single) => Of(QueryField.Of(field), NoText(type));

    /// <summary>Vectors in documents that are texts in base64.</summary>
    /// <param name="type">What their bytes are.</param>
    public VectorField WithBase64(Expression<Func<T, object?>> field, EmbeddingType type = EmbeddingType.Single) => WithEmbedding(field, type);

    /// <inheritdoc cref="WithBase64(Expression{Func{T, object}}, EmbeddingType)"/>
    public VectorField WithBase64(string field, EmbeddingType type = EmbeddingType.Single) => WithEmbedding(field, type);

    /// <summary>Texts that a model makes vectors from. This server has no model and refuses such a query; others may have one.</summary>
    public VectorField WithText(Expression<Func<T, object?>> field) => Of(QueryField.Of(field), EmbeddingType.Text);

    /// <inheritdoc cref="WithText(Expression{Func{T, object}})"/>
    public VectorField WithText(string field) => Of(QueryField.Of(field), EmbeddingType.Text);

    /// <summary>A field of vectors of an index that users define.</summary>
    public VectorField WithField(Expression<Func<T, object?>> field) => Of(QueryField.Of(field), null);

    /// <inheritdoc cref="WithField(Expression{Func{T, object}})"/>
    public VectorField WithField(string field) => Of(QueryField.Of(field), null);

    private static VectorField Of(QueryField field, EmbeddingType? source) => new(new VectorPlace(field, source, source));

    // Of lists of vectors, too.
    private static EmbeddingType TypeOf(Type type) =>
        type == typeof(sbyte) ? EmbeddingType.Int8
        : type == typeof(byte) ? EmbeddingType.Binary
        : type.IsArray ? TypeOf(type.GetElementType()!)
        : type.IsGenericType && type.GetGenericArguments() is [var element] ? TypeOf(element)
        : EmbeddingType.Single;

    private static EmbeddingType NoText(EmbeddingType type) => type != EmbeddingType.Text
        ? type
        : throw new ArgumentException("A text is not a vector: use WithText.", nameof(type));
}

/// <summary>The vectors that those of documents are compared with.</summary>
public sealed class VectorValue
{
    /// <param name="function">The function that the language calls with the value; null: none.</param>
    internal VectorValue(object value, string? function = null) => (Value, Function) = (value, function);

    internal object Value { get; }

    internal string? Function { get; }
}

/// <summary>Says which vectors those of documents are compared with.</summary>
[SuppressMessage("Performance", "CA1822", Justification = "Users call them on the parameter of their lambda.")]
public sealed class VectorValueFactory
{
    internal VectorValueFactory()
    {
    }

    /// <summary>A vector, of the kind that the documents have.</summary>
    public VectorValue ByEmbedding<T>(T[] embedding) where T : unmanaged, INumber<T> => new(Checked(embedding));

    /// <inheritdoc cref="ByEmbedding{T}(T[])"/>
    public VectorValue ByEmbedding<T>(EmbeddingVector<T> embedding) where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embedding);
        return ByEmbedding(embedding.Embedding);
    }

    /// <inheritdoc cref="ByEmbedding{T}(T[])"/>
    public VectorValue ByEmbedding<T>(ReadOnlyMemory<T> embedding) where T : unmanaged, INumber<T> => ByEmbedding(embedding.ToArray());

    /// <summary>Several vectors: the nearest of them counts.</summary>
    public VectorValue ByEmbeddings<T>(IEnumerable<T[]> embeddings) where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embeddings);
        return Several([.. embeddings.Select(Checked)], nameof(embeddings));
    }

    /// <inheritdoc cref="ByEmbeddings{T}(IEnumerable{T[]})"/>
    public VectorValue ByEmbeddings<T>(IEnumerable<EmbeddingVector<T>> embeddings) where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embeddings);
        return ByEmbeddings(embeddings.Select(embedding => embedding.Embedding));
    }

    /// <summary>A vector as a text in base64: the bytes of its numbers, the lowest byte of each first.</summary>
    public VectorValue ByBase64(string embedding) => new(Text(embedding, nameof(embedding)));

    /// <inheritdoc cref="ByEmbeddings{T}(IEnumerable{T[]})"/>
    public VectorValue ByBase64(IEnumerable<string> embeddings)
    {
        ArgumentNullException.ThrowIfNull(embeddings);
        return Several([.. embeddings.Select(one => Text(one, nameof(embeddings)))], nameof(embeddings));
    }

    /// <summary>The vectors of another document: what is near to it.</summary>
    public VectorValue ForDocument(string id) => new(Text(id, nameof(id)), "embedding.forDoc");

    /// <summary>A text that a model makes a vector from. This server has no model and refuses such a query; others may have one.</summary>
    public VectorValue ByText(string text) => new(Text(text, nameof(text)));

    /// <inheritdoc cref="ByText(string)"/>
    public VectorValue ByTexts(IEnumerable<string> texts)
    {
        ArgumentNullException.ThrowIfNull(texts);
        return Several([.. texts.Select(one => Text(one, nameof(texts)))], nameof(texts));
    }

    private static VectorValue Several<T>(T[] values, string name) =>
        values.Length == 0 ? throw new ArgumentException("Nothing is near to no vector: give at least one.", name) : new VectorValue(values);

    private static string Text(string text, string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(text, name);
        return text;
    }

    private static T[] Checked<T>(T[] embedding) where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embedding);
        if (embedding.Length == 0)
        {
            throw new ArgumentException("A vector has at least one number.", nameof(embedding));
        }

        int wrong = Array.FindIndex(embedding, number => !T.IsFinite(number));
        return wrong < 0 ? embedding : throw new ArgumentException(
            $"The numbers of a vector are finite: at position {wrong} is {embedding[wrong]}.", nameof(embedding));
    }
}
