using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Serialization;

/// <summary>Converts entities of any type to the text of their documents, and back. The text contains neither the id nor the metadata.</summary>
internal sealed class EntityConverter(DocumentConventions conventions, DocumentSerializer serializer)
{
    private static readonly ConditionalWeakTable<Type, string> s_clrNames = [];
    private static readonly EntityLayout s_noId = new(null, [], HasAllMembers: false, WouldHoldMetadata: false);

    private readonly ConcurrentDictionary<Type, EntityLayout> _layouts = new();

    public DocumentConventions Conventions => conventions;

    public DocumentSerializer Serializer => serializer;

    /// <summary>The value of an entity's id property; null if it has no such property, or no value in it.</summary>
    public string? GetId(object entity) => LayoutOf(entity.GetType()).Id?.Get?.Invoke(entity) as string;

    /// <summary>Sets the id property of an entity, if it has one that can be set.</summary>
    public void SetId(object entity, string id)
    {
        if (LayoutOf(entity.GetType()).Id is { Set: { } set, PropertyType: var type } && type == typeof(string))
        {
            set(entity, id);
        }
    }

    /// <summary>Makes an entity from a document.</summary>
    /// <param name="document">An object.</param>
    /// <exception cref="JsonException">The document is not of this type; the message names the path.</exception>
    public object Read(Type type, string id, JsonElement document) => Read(type, id, JsonMarshal.GetRawUtf8Value(document));

    /// <inheritdoc cref="Read(Type, string, JsonElement)"/>
    public object Read(Type type, StoredDocument document) => Read(type, document.Id, document.Text.Span);

    private object Read(Type type, string id, ReadOnlySpan<byte> text)
    {
        JsonTypeInfo info = serializer.TypeInfo(type);
        try
        {
            object entity = JsonSerializer.Deserialize(LayoutOf(type).WouldHoldMetadata ? WithoutMetadata(text) : text, info)
                ?? throw new JsonException($"It is not a {type.Name}.");
            SetId(entity, id);
            return entity;
        }
        catch (JsonException wrong)
        {
            throw new JsonException(
                $"The document '{id}' cannot be read as {type.Name}. {wrong.Message}", wrong.Path ?? "$", wrong.LineNumber, wrong.BytePositionInLine, wrong);
        }
    }

    private static byte[] WithoutMetadata(ReadOnlySpan<byte> document)
    {
        var members = new ArrayBufferWriter<byte>(document.Length);
        CopyMembers(document, s_noId, members);
        return ObjectOf(members);
    }

    private static byte[] ObjectOf(ArrayBufferWriter<byte> members) => [(byte)'{', .. members.WrittenSpan, (byte)'}'];

    /// <summary>Gives an entity the values of another one of its type.</summary>
    /// <exception cref="NotSupportedException">Not all of them can be set.</exception>
    public void CopyTo(object entity, Func<object> read)
    {
        JsonTypeInfo info = serializer.TypeInfo(entity.GetType());
        JsonPropertyInfo? fixedOne = info.Properties.FirstOrDefault(property => property is { Get: not null, Set: null } && IsStored(property));
        if (info.Kind != JsonTypeInfoKind.Object || fixedOne is not null)
        {
            throw new NotSupportedException(
                $"{info.Type.Name} cannot be given the values of a document" + (fixedOne is null ? "" : $": '{fixedOne.Name}' has no setter") +
                ". Evict the object and load it again.");
        }

        object other = read();
        foreach (JsonPropertyInfo property in info.Properties)
        {
            if (property is { Get: { } get, Set: { } set })
            {
                set(entity, get(other));
            }
        }
    }

    // Otherwise it is computed from other properties.
    private static bool IsStored(JsonPropertyInfo property) =>
        property.AssociatedParameter is not null || property.ObjectCreationHandling == JsonObjectCreationHandling.Populate;

    /// <summary>Writes the members of an entity, then those of a document that its type does not know.</summary>
    /// <param name="original">The document that the entity was read from; undefined if there is none.</param>
    /// <param name="output">It gets the members with commas between them, without braces.</param>
    public void WriteMembers(object entity, JsonElement original, ArrayBufferWriter<byte> output)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        EntityText text = EntityText.Take(serializer.Options.Encoder);
        JsonSerializer.Serialize(text.Writer, entity, serializer.TypeInfo(entity.GetType()));
        CopyMembers(text.Written, layout, output);
        text.GiveBack();
        if (conventions.PreserveDocumentPropertiesNotFoundOnModel && !layout.HasAllMembers && original.ValueKind == JsonValueKind.Object)
        {
            CopyUnknown(original, layout, output);
        }
    }

    /// <summary>The members of an entity as a document without metadata.</summary>
    /// <param name="original">As for <see cref="WriteMembers"/>.</param>
    public JsonElement Text(object entity, JsonElement original)
    {
        var members = new ArrayBufferWriter<byte>(512);
        WriteMembers(entity, original, members);
        var reader = new Utf8JsonReader(ObjectOf(members));
        return JsonElement.ParseValue(ref reader);
    }

    /// <summary>Whether two documents have equal members, in any order; their metadata is not compared.</summary>
    public static bool AreEqual(JsonElement left, JsonElement right)
    {
        int count = 0;
        foreach (JsonProperty member in left.EnumerateObject())
        {
            if (member.NameEquals(MetadataName))
            {
                continue;
            }

            count++;
            if (!right.TryGetProperty(member.Name, out JsonElement other) || !JsonElement.DeepEquals(member.Value, other))
            {
                return false;
            }
        }

        return count == right.EnumerateObject().Count(member => !member.NameEquals(MetadataName));
    }

    /// <summary>The type of an entity, as its metadata names it.</summary>
    public static string ClrName(Type type) => s_clrNames.GetValue(type, static type => $"{type.FullName}, {type.Assembly.GetName().Name}");

    public static ReadOnlySpan<byte> MetadataName => "@metadata"u8;

    private static void CopyMembers(ReadOnlySpan<byte> text, EntityLayout layout, ArrayBufferWriter<byte> output)
    {
        var reader = new Utf8JsonReader(text);
        reader.Read();
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("A document is an object, and this entity is written as something else.");
        }

        bool mayHaveMetadata = text.IndexOf(MetadataName) >= 0;
        bool mayHaveId = layout.Id is not null;
        while ((mayHaveMetadata || mayHaveId) && reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            int start = (int)reader.TokenStartIndex;
            bool isId = layout.Id is { } id && reader.ValueTextEquals(id.Name);
            bool isText = !isId && !reader.ValueTextEquals(MetadataName);
            reader.Read();
            reader.Skip();
            mayHaveId &= !isId;
            if (isText)
            {
                AddComma(output);
                output.Write(text[start..(int)reader.BytesConsumed]);
            }
        }

        CopyRest(text[(int)reader.BytesConsumed..], output);
    }

    // The members after the last one that had to be read, and the end of the object.
    private static void CopyRest(ReadOnlySpan<byte> rest, ArrayBufferWriter<byte> output)
    {
        int end = rest.LastIndexOf((byte)'}');
        if (end > 0)
        {
            AddComma(output);
            output.Write(rest[(rest[0] == ',' ? 1 : 0)..end]);
        }
    }

    private static void CopyUnknown(JsonElement original, EntityLayout layout, ArrayBufferWriter<byte> output)
    {
        foreach (JsonProperty member in original.EnumerateObject())
        {
            if (member.NameEquals(MetadataName) || layout.Names.Contains(member.Name))
            {
                continue;
            }

            AddComma(output);
            var one = new ArrayBufferWriter<byte>();
            using (var json = new Utf8JsonWriter(one))
            {
                json.WriteStringValue(member.Name);
            }

            output.Write(one.WrittenSpan);
            output.Write(":"u8);
            output.Write(JsonMarshal.GetRawUtf8Value(member.Value));
        }
    }

    private static void AddComma(ArrayBufferWriter<byte> output)
    {
        if (output.WrittenCount > 0)
        {
            output.Write(","u8);
        }
    }

    private EntityLayout LayoutOf(Type type) => _layouts.GetOrAdd(type, static (type, self) => self.MakeLayout(type), this);

    private EntityLayout MakeLayout(Type type)
    {
        JsonTypeInfo info = serializer.TypeInfo(type);
        return new EntityLayout(
            DocumentConventions.FindIdentity(conventions.FindIdentityProperty, info),
            info.Properties.Select(property => property.Name)
                .ToHashSet(serializer.Options.PropertyNameCaseInsensitive ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal),
            HasAllMembers: info.Kind != JsonTypeInfoKind.Object || info.Properties.Any(property => property.IsExtensionData),
            WouldHoldMetadata: info.Kind == JsonTypeInfoKind.Dictionary || info.Properties.Any(property => property.IsExtensionData));
    }

    /// <param name="Names">Of its properties.</param>
    /// <param name="HasAllMembers">Whether it holds all members of a document: a dictionary, a class with extension data, or a class with its own
    /// converter.</param>
    /// <param name="WouldHoldMetadata">Whether it would hold the metadata as one of its members, which the metadata is not.</param>
    private sealed record EntityLayout(JsonPropertyInfo? Id, HashSet<string> Names, bool HasAllMembers, bool WouldHoldMetadata);
}
