using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Serialization.Classes;

namespace Jackdaw.Client.Serialization;

/// <summary>What is known of a class of documents.</summary>
internal sealed class EntityLayout
{
    private readonly DocumentSerializer? _serializer;
    private readonly Lazy<(string? Refusal, bool IsDoubtful)> _check;

    private EntityLayout() => (Names, _check) = ([], new((null, false)));

    public EntityLayout(Type type, DocumentConventions conventions, DocumentSerializer serializer)
    {
        _serializer = serializer;
        Info = InfoOf(type, serializer);
        JsonPropertyInfo? id = DocumentConventions.FindId(conventions.FindIdentityProperty, Info);
        Id = id?.PropertyType == typeof(string) ? id : null;
        IdOfConstructor = (DerivedMembers.AreDeclared(type) ? Info.PolymorphismOptions?.DerivedTypes ?? [] : [])
            .Select(one => serializer.TypeInfo(one.DerivedType)).Prepend(Info)
            .Select(one => IdOfConstructorOf(one, conventions)).FirstOrDefault(name => name is not null) is { } taken
                ? JsonEncodedText.Encode(taken)
                : null;
        Version = conventions.FindVersion(Info);
        OtherId = Id is null && id is not null && conventions.IdConversionOf(id.PropertyType) is { } conversion
            ? new OtherId(id, conversion)
            : null;
        IdPrefix = conventions.GetIdPrefix(type) + conventions.IdentityPartsSeparator;
        WrittenAs = ClassCollections.BaseOf(type) is { } root ? serializer.TypeInfo(root) : Info;
        HasAllMembers = Info.Kind != JsonTypeInfoKind.Object || Info.Properties.Any(property => property.IsExtensionData);
        WouldHoldMetadata = Info.Kind == JsonTypeInfoKind.Dictionary || Info.Properties.Any(property => property.IsExtensionData);
        Names = Info.Properties.Select(property => property.Name)
            .ToHashSet(serializer.Options.PropertyNameCaseInsensitive ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        foreach (string name in new[] { Info, WrittenAs }.Select(one => one.PolymorphismOptions?.TypeDiscriminatorPropertyName).OfType<string>())
        {
            Names.Add(name);
        }

        RefusesUnknown = (Info.UnmappedMemberHandling ?? Info.Options.UnmappedMemberHandling) == JsonUnmappedMemberHandling.Disallow;
        MayReadMetadata = Info.Kind != JsonTypeInfoKind.Object || Info.PolymorphismOptions is not null
            || Names.Contains(Encoding.UTF8.GetString(EntityConverter.MetadataName));
        _check = new(Check);
    }

    /// <summary>The layout of what has no members that are left out.</summary>
    public static EntityLayout None { get; } = new();

    /// <summary>How it is read.</summary>
    public JsonTypeInfo Info { get; } = null!;

    /// <summary>How it is written: as its base type, if that writes the names of its derived types.</summary>
    public JsonTypeInfo WrittenAs { get; } = null!;

    /// <summary>The id, a text that is not stored among the members; null if there is none.</summary>
    public JsonPropertyInfo? Id { get; }

    /// <summary>The id of another type, which is stored among the members; null if there is none.</summary>
    public OtherId? OtherId { get; }

    /// <summary>The version, which is not stored among the members; null if there is none.</summary>
    public JsonPropertyInfo? Version { get; }

    /// <summary>Beginning of ids that are numbers.</summary>
    public string IdPrefix { get; } = "";

    /// <summary>Names of its properties.</summary>
    public HashSet<string> Names { get; }

    /// <summary>Whether it holds all members of a document: a dictionary, a class with extension data, or a class with its own converter.</summary>
    public bool HasAllMembers { get; }

    /// <summary>Whether it would hold the metadata as one of its members, which the metadata is not.</summary>
    public bool WouldHoldMetadata { get; }

    /// <summary>Whether it may have the metadata as one of its members. Others are read faster without it.</summary>
    public bool MayReadMetadata { get; } = true;

    /// <summary>Whether it refuses members that it does not know, which the metadata would be.</summary>
    public bool RefusesUnknown { get; }

    /// <summary>Name of the id if its constructor, or that of a derived type, takes it; null if none does.</summary>
    public JsonEncodedText? IdOfConstructor { get; }

    /// <summary>Why documents of this class are refused; null if they are not.</summary>
    public string? Refusal => _check.Value.Refusal;

    /// <summary>Whether only the single object says whether all of it can be read back.</summary>
    public bool IsDoubtful => _check.Value.IsDoubtful;

    private static string? IdOfConstructorOf(JsonTypeInfo type, DocumentConventions conventions) =>
        DocumentConventions.FindIdentity(conventions.FindIdentityProperty, type) is { } id
        && (id.AssociatedParameter is not null || LateConstruction.Takes(type, id))
            ? id.Name
            : null;

    private static JsonTypeInfo InfoOf(Type type, DocumentSerializer serializer)
    {
        try
        {
            return serializer.TypeInfo(type);
        }
        catch (InvalidOperationException wrong)
        {
            throw new NotSupportedException($"{type.Name} cannot be a document: {wrong.Message} Put [JsonIgnore] on the member.", wrong);
        }
    }

    private (string? Refusal, bool IsDoubtful) Check()
    {
        string? refusal = StorableCheck.Refusal(Info.Type, _serializer!.Options, _serializer.IsReflecting, out bool isDoubtful);
        return (refusal, isDoubtful);
    }
}

/// <summary>An id that is not a text.</summary>
/// <param name="Property">Where the class has it.</param>
internal sealed record OtherId(JsonPropertyInfo Property, IdConversion Conversion)
{
    /// <summary>The value of an entity; null if it has none yet, as a number has with 0.</summary>
    public object? Of(object entity)
    {
        object? id = Property.Get!(entity);
        return id is null || Conversion.Unwrap(id) is not { } value || IsNothing(value) ? null : id;
    }

    private static bool IsNothing(object value) => value switch
    {
        Guid guid => guid == Guid.Empty,
        int number => number == 0,
        long number => number == 0,
        string text => text.Length == 0,
        _ => false,
    };
}
