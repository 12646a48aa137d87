using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Names and forms of values as the documents have them.</summary>
internal sealed class TranslationContext(DocumentConventions conventions, DocumentSerializer serializer)
{
    public DocumentConventions Conventions => conventions;

    public string NameOf(MemberInfo member) => serializer.NameOf(member);

    /// <summary>Whether values of a type are ids that documents have as the value in them.</summary>
    public bool IsTypeOfIds(Type type) => serializer.IsTypeOfIds(type);

    /// <summary>Whether a member holds the id of a document.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "The property that is asked for stands in an expression, and so is kept.")]
    public bool IsIdentity(MemberInfo member) =>
        member is PropertyInfo property && property.ReflectedType is { } type
        && conventions.GetIdentityProperty(type)?.Name == property.Name;

    /// <summary>Whether the member of this name holds the id of documents of a type.</summary>
    public bool IsIdentity(Type type, string name) => type != typeof(object)
        && DocumentConventions.FindIdentity(conventions.FindIdentityProperty, serializer.TypeInfo(type))?.AttributeProvider is MemberInfo id
        && id.Name == name;

    /// <summary>Like <see cref="ToParameter(object?)"/>, for a value that is compared with a field of a type.</summary>
    /// <param name="comparedWith">Type of the field; null if there is no field.</param>
    public object? ToParameter(object? value, Type? comparedWith) =>
        ToParameter(value is null || comparedWith is null ? value : CapturedOperators.AsStored(value, comparedWith));

    /// <summary>The elements of a list as parameters hold them; null if it is not a list.</summary>
    public List<object?>? ToParameters(object? list, Type? comparedWith) =>
        CapturedValues.Elements(list) is { } elements ? [.. elements.Select(element => ToParameter(element, comparedWith))] : null;

    /// <summary>A value as parameters hold it: null, texts, numbers, truth values, lists of them, or JSON.</summary>
    /// <exception cref="NotSupportedException">The serializer does not know the type.</exception>
    public object? ToParameter(object? value)
    {
        switch (value)
        {
            case null or string or bool or int or long or double or decimal or float or short or byte or sbyte or ushort or uint or ulong or JsonElement:
                return value;
            case char letter:
                return letter.ToString();
            case DateTime or DateTimeOffset:
                return ((IFormattable)value).ToString("o", null);
            case Guid guid:
                return guid.ToString();
            case byte[] bytes:
                return System.Convert.ToBase64String(bytes);
        }

        if (CapturedValues.Elements(value) is { } elements && value is not System.Collections.IDictionary)
        {
            return elements.Select(ToParameter).ToArray();
        }

        JsonTypeInfo type = serializer.TypeInfo(value.GetType());
        JsonElement json = JsonSerializer.SerializeToElement(value, type);
        return json.ValueKind switch
        {
            JsonValueKind.String => json.GetString(),
            JsonValueKind.Number => json.TryGetInt64(out long whole) ? (object)whole : json.GetDouble(),
            _ => json,
        };
    }
}
