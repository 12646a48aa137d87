using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Reads collections that the serializer cannot make, and stacks, which it would fill in reverse order.</summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = "It is used with reflection only.")]
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "It is used with reflection only.")]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "It is used with reflection only.")]
internal sealed class CollectionJsonConverters : JsonConverterFactory
{
    private static readonly HashSet<Type> s_lists =
    [
        typeof(IImmutableStack<>), typeof(ImmutableStack<>), typeof(ConcurrentBag<>), typeof(ReadOnlyCollection<>), typeof(ReadOnlyObservableCollection<>),
        typeof(FrozenSet<>), typeof(IReadOnlySet<>), typeof(ReadOnlySet<>),
    ];

    private static readonly HashSet<Type> s_maps = [typeof(FrozenDictionary<,>), typeof(ReadOnlyDictionary<,>)];

    public override bool CanConvert(Type typeToConvert) => (CollectionFilling.IsStack(typeToConvert) && CollectionFilling.ElementOf(typeToConvert) is not null)
        || (typeToConvert.IsGenericType && typeToConvert.GetGenericTypeDefinition() is var open && (s_lists.Contains(open) || s_maps.Contains(open)));

    public override JsonConverter? CreateConverter(Type typeToConvert, JsonSerializerOptions options)
    {
        Type element = CollectionFilling.ElementOf(typeToConvert)!;
        bool isMap = typeToConvert.IsGenericType && s_maps.Contains(typeToConvert.GetGenericTypeDefinition());
        Type[] types = isMap
            ? [typeToConvert, typeof(Dictionary<,>).MakeGenericType(element.GetGenericArguments()),
                typeof(IReadOnlyDictionary<,>).MakeGenericType(element.GetGenericArguments())]
            : [typeToConvert, typeof(List<>).MakeGenericType(element), typeof(IEnumerable<>).MakeGenericType(element)];
        return (JsonConverter)typeof(CollectionJsonConverter<,,>).MakeGenericType(types).GetConstructors()[0].Invoke(null);
    }
}

/// <summary>A converter of a collection.</summary>
internal interface ICollectionConverter
{
    /// <summary>The collection that is read instead.</summary>
    Type Elements { get; }
}

/// <summary>Reads and writes a collection as another one.</summary>
/// <typeparam name="TCollection">The collection that classes have.</typeparam>
/// <typeparam name="TRead">The collection that is read, and whose elements make the other one.</typeparam>
/// <typeparam name="TWritten">The interface as which the elements are written.</typeparam>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "It is used with reflection only.")]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = "It is used with reflection only.")]
internal sealed class CollectionJsonConverter<TCollection, TRead, TWritten> : JsonConverter<TCollection>, ICollectionConverter
{
    public Type Elements => typeof(TRead);

    public override TCollection? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        (TCollection?)CollectionFilling.Convert(JsonSerializer.Deserialize<TRead>(ref reader, options), typeof(TCollection));

    public override void Write(Utf8JsonWriter writer, TCollection value, JsonSerializerOptions options) =>
        JsonSerializer.Serialize(writer, (TWritten)(object)value!, options);
}
