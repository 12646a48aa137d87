using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;

namespace Jackdaw.Client.Conventions;

/// <summary>Between ids of one type, such as <see cref="Guid"/>, and the ids of documents, which are texts.</summary>
internal sealed class IdConversion
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private readonly Func<object, string> _toText;
    private readonly Func<string, object?> _toId;

    private IdConversion(Func<object, string> toText, Func<string, object?> toId, bool hasPrefix, Type? generated)
    {
        (_toText, _toId, HasPrefix, Generated) = (toText, toId, hasPrefix, generated);
    }

    /// <summary>Whether the text is unique only together with the name of the collection: <c>orders/7</c>.</summary>
    public bool HasPrefix { get; }

    /// <summary>Type of the value that a new id is made from; null if new ids cannot be made.</summary>
    public Type? Generated { get; }

    /// <summary>The inner value of an id: the number, the GUID, or the text.</summary>
    public Func<object, object?> Unwrap { get; private init; } = static id => id;

    /// <summary>The id with an inner value.</summary>
    public Func<object, object> Wrap { get; private init; } = static value => value;

    /// <summary>The conversion that a program has registered. Its texts are whole ids of documents.</summary>
    public static IdConversion Registered<TId>(Func<TId, string> toText, Func<string, TId> toId) =>
        new(id => toText((TId)id), text => toId(text), hasPrefix: false, generated: null);

    /// <summary>The conversion of a simple type, or of a type that wraps one value of a simple type.</summary>
    /// <returns>Null if there is none.</returns>
    public static IdConversion? Find(Type type) => OfSimple(type) ?? OfWrapper(type);

    /// <summary>The id of a document.</summary>
    /// <param name="prefix">Prefix of the ids of its collection, with the separator.</param>
    public string ToText(object id, string prefix) => HasPrefix ? prefix + _toText(id) : _toText(id);

    /// <summary>The id that a document's id stands for; null if it stands for none.</summary>
    /// <inheritdoc cref="ToText"/>
    public object? ToId(string text, string prefix) =>
        !HasPrefix ? _toId(text) : text.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) ? _toId(text[prefix.Length..]) : null;

    private static IdConversion? OfSimple(Type type)
    {
        if (type == typeof(Guid))
        {
            return new(id => ((Guid)id).ToString(), text => Guid.TryParse(text, out Guid id) ? id : null, hasPrefix: false, type);
        }

        if (type == typeof(string))
        {
            return new(id => (string)id, text => text, hasPrefix: false, null);
        }

        return type == typeof(int) || type == typeof(long)
            ? new(
                id => ((IFormattable)id).ToString(null, CultureInfo.InvariantCulture),
                text => !long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long id) ? null : OfNumber(id, type),
                hasPrefix: true,
                type)
            : null;
    }

    /// <summary>A number as one of the types that ids can have; null if it is too large.</summary>
    public static object? OfNumber(long number, Type type) => type == typeof(long) ? (object)number : number <= int.MaxValue ? (object)(int)number : null;

    // record struct OrderId(Guid Value)
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Without reflection a program registers a conversion.")]
    private static IdConversion? OfWrapper(Type type)
    {
        if (type.IsPrimitive || type.IsAbstract || type.Namespace == "System")
        {
            return null;
        }

        PropertyInfo[] properties = [.. type.GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(one => one.GetIndexParameters().Length == 0)];
        ConstructorInfo? constructor = type.GetConstructors(All).FirstOrDefault(one => one.GetParameters() is [var only]
            && properties.Any(property => property.PropertyType == only.ParameterType
                && string.Equals(property.Name, only.Name, StringComparison.OrdinalIgnoreCase)) && OfSimple(only.ParameterType) is not null);
        if (constructor is null || properties.Length != 1)
        {
            return null;
        }

        PropertyInfo value = properties[0];
        IdConversion inner = OfSimple(value.PropertyType)!;
        return new(
            id => inner._toText(value.GetValue(id) ?? ""),
            text => inner._toId(text) is { } found ? constructor.Invoke([found]) : null,
            inner.HasPrefix,
            inner.Generated)
        {
            Unwrap = value.GetValue,
            Wrap = found => constructor.Invoke([found]),
        };
    }
}
