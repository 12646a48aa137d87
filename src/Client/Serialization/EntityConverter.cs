using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Serialization.Classes;

namespace Jackdaw.Client.Serialization;

/// <summary>Converts entities of any type to the text of their documents, and back. The text contains neither the id nor the version nor the
/// metadata.</summary>
internal sealed class EntityConverter(DocumentConventions conventions, DocumentSerializer serializer)
{
    private static readonly ConditionalWeakTable<Type, string> s_clrNames = [];

    private readonly ConcurrentDictionary<Type, EntityLayout> _layouts = new();
    private readonly StoredTypes _types = new(serializer);
    private readonly DocumentMerge _merge = new(conventions.PreserveDocumentPropertiesNotFoundOnModel, serializer.Options.PropertyNameCaseInsensitive);

    public DocumentConventions Conventions => conventions;

    public DocumentSerializer Serializer => serializer;

    /// <summary>The id that an entity has in its id property; null if it has no such property, or no value in it.</summary>
    public string? GetId(object entity)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        return layout.OtherId is { } other
            ? other.Of(entity) is { } id ? other.Conversion.ToText(id, layout.IdPrefix) : null
            : layout.Id?.Get?.Invoke(entity) as string;
    }

    /// <summary>Sets the id property of an entity, if it has one that can be set. An id that is not a text is set only if it has no value.</summary>
    public void SetId(object entity, string id) => SetId(LayoutOf(entity.GetType()), entity, id);

    private static void SetId(EntityLayout layout, object entity, string id)
    {
        if (layout.Id is { Set: { } set })
        {
            set(entity, id);
        }
        else if (layout.OtherId is { Property.Set: { } setOther } other && other.Of(entity) is null && other.Conversion.ToId(id, layout.IdPrefix) is { } found)
        {
            setOther(entity, found);
        }
    }

    /// <summary>The type of the value that a new id of an entity is made from; null if its id is a text.</summary>
    public Type? GeneratedIdOf(object entity)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        return layout.OtherId is not { } other ? null
            : other.Conversion.Generated ?? throw new InvalidOperationException(
                $"{layout.Info.Type.Name}.{other.Property.Name} has no value, and new ids of this type cannot be made: set it before the object is stored.");
    }

    /// <summary>Sets a new id that is not a text.</summary>
    /// <returns>The id of the document.</returns>
    public string SetNewId(object entity, object value)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        OtherId other = layout.OtherId!;
        object id = other.Conversion.Wrap(value);
        other.Property.Set?.Invoke(entity, id);
        return other.Conversion.ToText(id, layout.IdPrefix);
    }

    /// <summary>The id of a document of a type.</summary>
    /// <param name="id">A text, or a value that has a conversion.</param>
    public string IdOf(Type type, object id) => id is string text ? text
        : conventions.IdConversionOf(id.GetType()) is { } conversion
            ? conversion.ToText(id, conventions.GetIdPrefix(type) + conventions.IdentityPartsSeparator)
            : throw new ArgumentException(
                $"A {id.GetType().Name} is not an id. Ids are texts, GUIDs, whole numbers, types that wrap one of them, and types that are "
                + "registered by RegisterIdConverter of the conventions.", nameof(id));

    /// <summary>The version that an entity has in its version property.</summary>
    /// <returns>Null if its class has no such property; empty if it has no value.</returns>
    public string? GetVersion(object entity) =>
        LayoutOf(entity.GetType()).Version is { Get: { } get } ? get(entity) as string ?? "" : null;

    /// <summary>Sets the version property of an entity, if it has one.</summary>
    public void SetVersion(object entity, string? version) => LayoutOf(entity.GetType()).Version?.Set?.Invoke(entity, version);

    /// <summary>Refuses an entity whose class could not be read back from its document.</summary>
    /// <exception cref="NotSupportedException">The message names the member, and says what to change.</exception>
    public void CheckStorable(object entity)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        if (layout.Refusal is { } refusal)
        {
            throw new NotSupportedException(refusal);
        }

        if (layout.IsDoubtful)
        {
            CheckReadBack(entity, layout);
        }
    }

    /// <summary>Refuses values of an object that were set after it was read, and that its document would not give back.</summary>
    /// <exception cref="NotSupportedException">The message names the member, and says what to change.</exception>
    public void CheckChanged(object entity)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        if (layout.IsDoubtful && layout.Refusal is null)
        {
            CheckReadBack(entity, layout);
        }
    }

    /// <summary>The metadata that an object without a class brings along as one of its members.</summary>
    public static JsonElement? MetadataIn(object entity)
    {
        JsonElement metadata = entity switch
        {
            JsonElement { ValueKind: JsonValueKind.Object } element => element.TryFind(MetadataName, out JsonElement found) ? found : default,
            JsonDocument { RootElement: { ValueKind: JsonValueKind.Object } root } => root.TryFind(MetadataName, out JsonElement found) ? found : default,
            JsonObject members when members["@metadata"] is JsonObject found => AnswerJson.ParseValue(Encoding.UTF8.GetBytes(found.ToJsonString())),
            IDictionary<string, JsonElement> map when map.TryGetValue("@metadata", out JsonElement found) => found,
            IDictionary<string, object?> map when map.TryGetValue("@metadata", out object? found) && found is JsonElement element => element,
            _ => default,
        };
        return metadata.ValueKind == JsonValueKind.Object ? metadata : null;
    }

    /// <summary>Makes an entity from a document.</summary>
    /// <param name="document">An object.</param>
    /// <exception cref="JsonException">The document is not of this type; the message names the path.</exception>
    public object Read(Type type, string id, JsonElement document)
    {
        object entity = Read(type, id, changeVector: null, JsonMarshal.GetRawUtf8Value(document), []);
        if (LayoutOf(entity.GetType()).Version is { Set: { } set } && document.TryFind(MetadataName, out JsonElement metadata))
        {
            set(entity, metadata.Text("@change-vector"u8));
        }

        return entity;
    }

    /// <inheritdoc cref="Read(Type, string, JsonElement)"/>
    public object Read(Type type, StoredDocument document) =>
        Read(type, document.Id, document.ChangeVector, document.Text.Span, document.Members);

    // The members are the text without its end, and without the metadata if that comes last; empty if nobody has looked for it.
    private object Read(Type type, string id, string? changeVector, ReadOnlySpan<byte> text, ReadOnlySpan<byte> members)
    {
        type = _types.Find(type, text);
        EntityLayout layout = LayoutOf(type);
        try
        {
            object entity = Deserialize(layout, id, text, members) ?? throw new JsonException($"It is not a {type.Name}.");
            EntityLayout made = entity.GetType() == type ? layout : LayoutOf(entity.GetType());
            SetId(made, entity, id);
            made.Version?.Set?.Invoke(entity, changeVector);
            return entity;
        }
        catch (Exception wrong) when (wrong is not (OutOfMemoryException or InsufficientExecutionStackException))
        {
            throw ReadFailure.Of(id, layout.Info, text, wrong);
        }
    }

    private static object? Deserialize(EntityLayout layout, string id, ReadOnlySpan<byte> text, ReadOnlySpan<byte> members)
    {
        bool hasMetadata = members.IsEmpty || layout.MayReadMetadata;
        if (layout.WouldHoldMetadata || (hasMetadata && layout.RefusesUnknown))
        {
            return JsonSerializer.Deserialize(MemberText.ObjectOf(text, EntityLayout.None), layout.Info);
        }

        if (text[^1] != '}' || (hasMetadata && layout.IdOfConstructor is null))
        {
            return JsonSerializer.Deserialize(text, layout.Info);
        }

        members = hasMetadata ? text[..^1].TrimEnd(" \t\r\n"u8) : members;
        byte[] buffer = ArrayPool<byte>.Shared.Rent(MemberText.SizeWithId(members, layout.IdOfConstructor, id));
        try
        {
            return JsonSerializer.Deserialize(MemberText.WithId(members, layout.IdOfConstructor, id, buffer), layout.Info);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Gives an entity the values of another one of its type.</summary>
    /// <exception cref="NotSupportedException">Not all of them can be set.</exception>
    public void CopyTo(object entity, Func<object> read)
    {
        JsonTypeInfo info = serializer.TypeInfo(entity.GetType());
        if (info.Kind is JsonTypeInfoKind.Dictionary or JsonTypeInfoKind.None && CollectionFilling.TryFill(entity, read))
        {
            return;
        }

        JsonPropertyInfo? fixedOne = info.Properties.FirstOrDefault(property => property is { Get: not null, Set: null, AssociatedParameter: not null });
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

    /// <summary>Writes the members of an entity, then those of a document that its type does not know.</summary>
    /// <param name="original">The document that the entity was read from; undefined if there is none.</param>
    /// <param name="id">Id of its document, for an error; null if it has none yet.</param>
    /// <param name="output">It gets the members with commas between them, without braces.</param>
    /// <exception cref="JsonException">The entity cannot be written; the message names it.</exception>
    public void WriteMembers(object entity, JsonElement original, string? id, ArrayBufferWriter<byte> output)
    {
        EntityLayout layout = LayoutOf(entity.GetType());
        EntityText text = EntityText.Take(serializer.Options.Encoder);
        try
        {
            JsonSerializer.Serialize(text.Writer, entity, layout.WrittenAs);
        }
        catch (Exception wrong) when (wrong is not (OutOfMemoryException or InsufficientExecutionStackException))
        {
            throw WriteFailure.Of(entity, layout.WrittenAs, id, wrong);
        }

        MemberText.Copy(text.Written, layout, output);
        text.GiveBack();
        if (EntityText.HasLostText(output.WrittenSpan, serializer.Options.Encoder))
        {
            throw new JsonException(
                $"The {layout.Info.Type.Name} with the id '{id}' cannot be written as a document. A text in it is not valid Unicode: it has one half "
                + "of a surrogate pair, as a text has that was cut in the middle of a character.");
        }

        if (conventions.PreserveDocumentPropertiesNotFoundOnModel && !layout.HasAllMembers && original.ValueKind == JsonValueKind.Object)
        {
            MemberText.CopyUnknown(original, layout, output);
        }
    }

    /// <summary>The members of an entity as a document without metadata.</summary>
    /// <inheritdoc cref="WriteMembers"/>
    public JsonElement Text(object entity, JsonElement original, string? id)
    {
        var members = new ArrayBufferWriter<byte>(512);
        WriteMembers(entity, original, id, members);
        var reader = new Utf8JsonReader(MemberText.ObjectOf(members));
        return JsonElement.ParseValue(ref reader);
    }

    /// <inheritdoc cref="DocumentMerge.Merge"/>
    public JsonElement Merge(JsonElement stored, JsonElement read, JsonElement now) => _merge.Merge(stored, read, now);

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

    private void CheckReadBack(object entity, EntityLayout layout)
    {
        string? id = GetId(entity);
        JsonElement written = Text(entity, default, id);
        JsonElement again = Text(Read(layout.Info.Type, id ?? "", written), default, id);
        if (ReadBackDifference.Find(written, again, layout.Info.Type.Name) is { } refusal)
        {
            throw new NotSupportedException(refusal);
        }
    }

    private EntityLayout LayoutOf(Type type) =>
        _layouts.GetOrAdd(type, static (type, self) => new EntityLayout(type, self.Conventions, self.Serializer), this);
}
