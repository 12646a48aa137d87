using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Serialization.Classes;

namespace Jackdaw.Client.Serialization;

/// <summary>Converts entities to documents and back by System.Text.Json, with one set of frozen options.</summary>
/// <remarks>
/// Properties have their declared names, public fields are included, nulls are written, enums are texts, and times are as short as possible. Other
/// clients of the same wire contract write this form, too. Stores with equal conventions share the options, because the serializer's metadata
/// belongs to them.
/// </remarks>
public sealed class DocumentSerializer
{
    private static readonly Lock s_lock = new();
    private static readonly Dictionary<Key, JsonSerializerOptions> s_shared = [];

    internal DocumentSerializer(DocumentConventions conventions)
    {
        IsReflecting = conventions.TypeInfoResolver is null;
        if (conventions.CustomizeSerializer is not null || conventions.FindVersionProperty is not null || conventions.IdConverters.Count > 0)
        {
            Options = Create(conventions);
            return;
        }

        var key = new Key(conventions.SaveEnumsAsIntegers, conventions.TypeInfoResolver, conventions.FindIdentityProperty);
        lock (s_lock)
        {
            if (!s_shared.TryGetValue(key, out JsonSerializerOptions? options))
            {
                options = Create(conventions);
                s_shared.Add(key, options);
            }

            Options = options;
        }
    }

    /// <summary>Whether metadata of types comes from reflection, and not from a source-generated context.</summary>
    internal bool IsReflecting { get; }

    /// <summary>The frozen options.</summary>
    public JsonSerializerOptions Options { get; }

    /// <summary>Reads rows that are not documents.</summary>
    internal RowReader Rows => field ??= new RowReader(Options);

    /// <summary>Metadata of a type.</summary>
    /// <exception cref="NotSupportedException">A resolver without reflection does not know the type; the message names it.</exception>
    public JsonTypeInfo<T> TypeInfo<T>() => (JsonTypeInfo<T>)Options.GetTypeInfo(typeof(T));

    /// <inheritdoc cref="TypeInfo{T}()"/>
    public JsonTypeInfo TypeInfo(Type type) => Options.GetTypeInfo(type);

    /// <summary>Whether values of a type are ids that wrap another value.</summary>
    internal bool IsTypeOfIds(Type type) =>
        type.Name.EndsWith("Id", StringComparison.OrdinalIgnoreCase) && TypeInfo(type).Converter.GetType() is { IsGenericType: true } generic
        && generic.GetGenericTypeDefinition() == typeof(IdJsonConverter<>);

    /// <summary>Whether values of a type are not objects in documents.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "The value is only written, and an error of its converter is not one of the program.")]
    [SuppressMessage("Design", "CA1031", Justification = "Converters of users may throw anything for a value that was not constructed.")]
    internal bool IsWrittenAsValue(Type type)
    {
        try
        {
            JsonTypeInfo info = TypeInfo(type);
            if (info.Kind != JsonTypeInfoKind.None || ClassContract.IsAnyJson(type))
            {
                return false;
            }

            return ClassContract.IsOfSerializer(info.Converter)
                || JsonSerializer.SerializeToElement(RuntimeHelpers.GetUninitializedObject(type), info).ValueKind
                    is not (JsonValueKind.Object or JsonValueKind.Null);
        }
        catch (Exception)
        {
            return false; // It is not known.
        }
    }

    /// <summary>Name of a property or field in a document.</summary>
    public string NameOf(MemberInfo member)
    {
        ArgumentNullException.ThrowIfNull(member);
        return member.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name
            ?? Options.PropertyNamingPolicy?.ConvertName(member.Name)
            ?? member.Name;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Reflection is the default; an application compiled ahead of time sets TypeInfoResolver.")]
    private static JsonSerializerOptions Create(DocumentConventions conventions)
    {
        IJsonTypeInfoResolver resolver = conventions.TypeInfoResolver is { } given
            ? JsonTypeInfoResolver.Combine(given, PlainTypesJson.Default)
            : new DefaultJsonTypeInfoResolver().WithAddedModifier(ClassContract.Complete);
        var options = new JsonSerializerOptions
        {
            IncludeFields = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            NumberHandling = JsonNumberHandling.Strict,
            AllowOutOfOrderMetadataProperties = true,
            TypeInfoResolver = resolver.WithAddedModifier(type => LetIdBeMissing(type, conventions)).WithAddedModifier(DeclaredTypes.Check),
        };
        foreach (JsonConverter converter in conventions.IdConverters)
        {
            options.Converters.Add(converter);
        }

        if (conventions.TypeInfoResolver is null)
        {
            options.Converters.Add(new IdJsonConverters());
        }

        if (!conventions.SaveEnumsAsIntegers)
        {
            options.Converters.Add(new JsonStringEnumConverter());
        }

        conventions.CustomizeSerializer?.Invoke(options);
        options.Converters.Add(new BigIntegerJsonConverter()); // after those of the program, which count first
        options.Converters.Add(new TextBuilderJsonConverter());
        if (conventions.TypeInfoResolver is null)
        {
            options.Converters.Add(new CollectionJsonConverters());
        }

        RefuseLosses(options);
        options.MakeReadOnly();
        return options;
    }

    // What would be stored, and neither read back nor found.
    private static void RefuseLosses(JsonSerializerOptions options)
    {
        string? wrong = options.DictionaryKeyPolicy is not null
                ? "DictionaryKeyPolicy changes the keys of dictionaries, and loads would not give the keys that were stored. Leave it null."
            : options.NumberHandling.HasFlag(JsonNumberHandling.WriteAsString)
                ? "NumberHandling stores numbers as texts, which queries can neither order nor add. Leave WriteAsString out."
            : null;
        if (wrong is not null)
        {
            throw new InvalidOperationException("CustomizeSerializer: " + wrong);
        }
    }

    // No document has its id or its version among its members; they are set after reading.
    private static void LetIdBeMissing(JsonTypeInfo type, DocumentConventions conventions)
    {
        if (type.Properties.Any(property => property.IsRequired))
        {
            foreach (JsonPropertyInfo? property in (JsonPropertyInfo?[])[
                DocumentConventions.FindId(conventions.FindIdentityProperty, type), conventions.FindVersion(type)])
            {
                property?.IsRequired = false;
            }
        }
    }

    private readonly record struct Key(bool EnumsAsIntegers, IJsonTypeInfoResolver? Resolver, Func<PropertyInfo, bool>? IsIdentity);
}
