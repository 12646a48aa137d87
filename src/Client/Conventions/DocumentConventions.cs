using System.Collections.Concurrent;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Conventions;

/// <summary>How types become documents: names of collections, ids, properties; and what a store does by default.</summary>
/// <remarks>They are changed before the store is initialized; a change afterwards throws <see cref="InvalidOperationException"/>. From then on they
/// are safe for concurrent use.</remarks>
public sealed class DocumentConventions
{
    private readonly ConcurrentDictionary<Type, string> _collections = new();
    private readonly ConcurrentDictionary<Type, IdConversion?> _idConversions = new();
    private readonly List<JsonConverter> _idConverters = [];
    private bool _isFrozen;

    /// <summary>Makes conventions with the default values that each member describes.</summary>
    public DocumentConventions() => AggressiveCache = new AggressiveCacheConventions(this);

    /// <summary>Name of the collection of a type. Default: <see cref="CollectionAttribute"/>, otherwise the English plural of the type's
    /// name.</summary>
    public Func<Type, string?>? FindCollectionName { get; set => field = Changed(value); }

    /// <summary>Whether a property holds the id. Default: <see cref="DocumentIdAttribute"/>, otherwise a property <c>Id</c>.</summary>
    public Func<PropertyInfo, bool>? FindIdentityProperty { get; set => field = Changed(value); }

    /// <summary>Whether a text property holds the version of the document. It is set by loads and saves, and a save demands that the stored document
    /// still has it. Default: <see cref="DocumentVersionAttribute"/>.</summary>
    public Func<PropertyInfo, bool>? FindVersionProperty { get; set => field = Changed(value); }

    /// <summary>Prefix of ids of a collection. Default: the first letter in lower case if it is the only capital one.</summary>
    public Func<string, string>? TransformTypeCollectionNameToDocumentIdPrefix { get; set => field = Changed(value); }

    /// <summary>Name of a path in a query of a static index; default: <c>a.b</c> becomes <c>a_b</c>, <c>a[].b</c> becomes <c>a_b</c>.</summary>
    public Func<string, string>? FindPropertyNameForIndex { get; set => field = Changed(value); }

    /// <summary>Separator between the prefix and the number of an id. The default is <c>/</c>; <c>|</c> is refused.</summary>
    public char IdentityPartsSeparator
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfEqual(value, '|');
            field = Changed(value);
        }
    } = '/';

    /// <summary>Enums as numbers; default: as texts.</summary>
    public bool SaveEnumsAsIntegers { get; set => field = Changed(value); }

    /// <summary>Whether each changed document must still have the version that the session has read. The default is false.</summary>
    public bool UseOptimisticConcurrency { get; set => field = Changed(value); }

    /// <summary>Number of requests that one session may send. The default is 30.</summary>
    public int MaxNumberOfRequestsPerSession { get; set => field = Changed(value); } = 30;

    /// <summary>Bytes of answers that are cached with their ETag, per database. With 0 nothing is cached. The default is 128 MB.</summary>
    public long MaxHttpCacheSize { get; set => field = Changed(value); } = 128L << 20;

    /// <summary>How reads are answered without a request, within the scopes of <c>store.AggressivelyCache()</c>.</summary>
    public AggressiveCacheConventions AggressiveCache { get; }

    /// <summary>Time that one request may take. Null means 5 minutes, and no limit for streams and bulk inserts.</summary>
    public TimeSpan? RequestTimeout { get; set => field = Changed(value); }

    /// <summary>What queries do whose index has not read everything that was written. It holds for rows, counts, sums, facets, lazy queries and streams.
    /// Queries that wait are not answered by a cache. The default is <see cref="StaleQueryMode.Answer"/>.</summary>
    public StaleQueryMode StaleQueries { get; set => field = Changed(value); }

    /// <summary>Makes the ids of new documents that have none, such as <c>_ => Guid.NewGuid().ToString()</c>. Null, or a result of null: the next
    /// number of a range that the server gives.</summary>
    public Func<object, string?>? DocumentIdGenerator { get; set => field = Changed(value); }

    /// <summary>A query that takes longer is logged as a warning. The default is a second.</summary>
    public TimeSpan SlowQueryTime { get; set => field = Changed(value); } = TimeSpan.FromSeconds(1);

    /// <summary>Whether properties of a document that its type does not know stay when the document is saved. The default is true.</summary>
    public bool PreserveDocumentPropertiesNotFoundOnModel { get; set => field = Changed(value); } = true;

    /// <summary>Metadata of types from a source generated context, which is needed without reflection. Null for reflection.</summary>
    public IJsonTypeInfoResolver? TypeInfoResolver { get; set => field = Changed(value); }

    /// <summary>Changes the options of the serializer before they are frozen.</summary>
    public Action<JsonSerializerOptions>? CustomizeSerializer { get; set => field = Changed(value); }

    /// <summary>Whether changes are no longer possible.</summary>
    public bool IsFrozen => _isFrozen;

    /// <summary>Name of the collection of a type; null for types that have none, such as anonymous types, dictionaries and <c>JsonObject</c>.</summary>
    public string? GetCollectionName(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        string name = _collections.GetOrAdd(
            type, static (type, conventions) => conventions.FindCollectionName?.Invoke(type) ?? ClassCollections.NameOf(type) ?? "", this);
        return name.Length == 0 ? null : name;
    }

    /// <summary>Whether documents may be in the collection of a type.</summary>
    internal bool MayHaveDocuments(Type type) => ClassCollections.MayHaveDocuments(type) || FindCollectionName?.Invoke(type) is not null;

    /// <summary>How ids of a type of your own become ids of documents, and back. GUIDs, numbers and types that wrap one value of them, or a text, need
    /// none.</summary>
    /// <param name="toText">The id of a document, such as <c>orders/7</c>.</param>
    /// <param name="toId">The id that a document's id stands for.</param>
    public void RegisterIdConverter<TId>(Func<TId, string> toText, Func<string, TId> toId)
        where TId : notnull
    {
        ArgumentNullException.ThrowIfNull(toText);
        ArgumentNullException.ThrowIfNull(toId);
        var conversion = IdConversion.Registered(toText, toId);
        _idConversions[typeof(TId)] = Changed(conversion);
        _idConverters.Add(new IdJsonConverter<TId>(conversion));
    }

    /// <summary>How registered types of ids are written in documents.</summary>
    internal IReadOnlyList<JsonConverter> IdConverters => _idConverters;

    /// <summary>The conversion of a type of ids; null if it is not one.</summary>
    internal IdConversion? IdConversionOf(Type type) =>
        _idConversions.GetOrAdd(Nullable.GetUnderlyingType(type) ?? type, static type => IdConversion.Find(type));

    /// <summary>Prefix of ids of a type, without the separator.</summary>
    public string GetIdPrefix(Type type)
    {
        string collection = GetCollectionName(type) ?? "docs";
        return TransformTypeCollectionNameToDocumentIdPrefix?.Invoke(collection) ?? PrefixOf(collection);
    }

    /// <summary>The property that holds the id, a text; null when a type has none.</summary>
    public PropertyInfo? GetIdentityProperty(
        [System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
            System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicProperties)] Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return (PropertyInfo?)FindIdentity(FindIdentityProperty, type.GetProperties(BindingFlags.Public | BindingFlags.Instance));
    }

    /// <summary>The property of a type, as the serializer knows it, that holds the id as a text; null if there is none.</summary>
    /// <param name="isIdentity">Null: as by default.</param>
    internal static JsonPropertyInfo? FindIdentity(Func<PropertyInfo, bool>? isIdentity, JsonTypeInfo type) =>
        FindId(isIdentity, type) is { } id && id.PropertyType == typeof(string) ? id : null;

    /// <summary>Like <see cref="FindIdentity(Func{PropertyInfo, bool}, JsonTypeInfo)"/>, of any type.</summary>
    internal static JsonPropertyInfo? FindId(Func<PropertyInfo, bool>? isIdentity, JsonTypeInfo type) =>
        FindId(isIdentity, [.. type.Properties.Select(property => property.AttributeProvider).OfType<MemberInfo>()]) is { } id
            ? type.Properties.First(property => ReferenceEquals(property.AttributeProvider, id))
            : null;

    // An id that is not a text is also an ordinary member of its document.
    private static MemberInfo? FindIdentity(Func<PropertyInfo, bool>? isIdentity, IReadOnlyList<MemberInfo> members)
    {
        MemberInfo? found = FindId(isIdentity, members);
        Type? type = (found as PropertyInfo)?.PropertyType ?? (found as FieldInfo)?.FieldType;
        return type == typeof(string) ? found : null;
    }

    private static MemberInfo? FindId(Func<PropertyInfo, bool>? isIdentity, IReadOnlyList<MemberInfo> members) => isIdentity is { } find
        ? members.FirstOrDefault(member => member is PropertyInfo property && find(property))
        : members.FirstOrDefault(member => member.IsDefined(typeof(DocumentIdAttribute), inherit: true))
            ?? members.FirstOrDefault(member => member.Name == "Id")
            ?? members.FirstOrDefault(member => member.Name == "ID");

    /// <summary>The text property of a type that holds the version of its document; null if there is none.</summary>
    internal JsonPropertyInfo? FindVersion(JsonTypeInfo type) => type.Properties.FirstOrDefault(property =>
        property.PropertyType == typeof(string) && property.AttributeProvider is PropertyInfo member
        && (FindVersionProperty?.Invoke(member) ?? member.IsDefined(typeof(DocumentVersionAttribute), inherit: true)));

    /// <summary>Name of a path in a static index.</summary>
    public string GetIndexFieldName(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return FindPropertyNameForIndex?.Invoke(path) ?? path.Replace("[].", "_", StringComparison.Ordinal).Replace('.', '_');
    }

    internal void Freeze() => _isFrozen = true;

    private static string PrefixOf(string collection) =>
        collection.Count(char.IsUpper) <= 1 ? char.ToLowerInvariant(collection[0]) + collection[1..] : collection;

    internal T Changed<T>(T value, [System.Runtime.CompilerServices.CallerMemberName] string name = "") => _isFrozen
        ? throw new InvalidOperationException($"{name} of the conventions cannot be changed: the store is initialized. Set it before Initialize().")
        : value;
}
