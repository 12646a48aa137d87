using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.ExpressionTrees;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Names and forms of values as the documents have them.</summary>
internal sealed class TranslationContext(DocumentConventions conventions, DocumentSerializer serializer)
{
    private StoredEnums? _enums;
    private ConcurrentDictionary<Type, bool>? _values;

    public DocumentConventions Conventions => conventions;

    /// <summary>What values of enums are in documents.</summary>
    public StoredEnums Enums => _enums ??= new StoredEnums(ToParameter);

    public JsonTypeInfo<T> TypeInfo<T>() => serializer.TypeInfo<T>();

    public string NameOf(MemberInfo member) => serializer.NameOf(member);

    /// <summary>Whether values of a type are ids that documents have as the value in them.</summary>
    public bool IsTypeOfIds(Type type) => serializer.IsTypeOfIds(type);

    /// <summary>Whether values of a type are texts, numbers or the like in documents, so that their members are not there.</summary>
    public bool IsStoredAsValue(Type type) => Expressions.IsLeaf(type)
        || (!type.IsInterface && (_values ??= new()).GetOrAdd(Expressions.Plain(type), serializer.IsWrittenAsValue));

    /// <summary>Whether a value is a number in C# only, and a text in documents: an enum that is stored as texts, or a character.</summary>
    public bool IsNumberOnlyHere(Expression value)
    {
        Type stored = Expressions.Plain(Expressions.Strip(value).Type);
        return Expressions.Plain(value.Type) is var type && (Expressions.IsWhole(type) || Expressions.IsFraction(type))
            && (stored == typeof(char) || (stored.IsEnum && !Enums.AreNumbers(stored)));
    }

    /// <summary>Whether a member holds the id of a document.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "The property that is asked for stands in an expression, and so is kept.")]
    public bool IsIdentity(MemberInfo member) =>
        member is PropertyInfo property && property.ReflectedType is { } type
        && conventions.GetIdentityProperty(type)?.Name == property.Name;

    /// <summary>Name of the member that holds the id of documents of a type as a text; null if there is none.</summary>
    public string? IdentityOf(Type type) => type == typeof(object) || type.IsInterface ? null
        : DocumentConventions.FindIdentity(conventions.FindIdentityProperty, serializer.TypeInfo(type))?.Name;

    /// <summary>Whether the member of this name holds the id of documents of a type.</summary>
    public bool IsIdentity(Type type, string name) => type != typeof(object)
        && DocumentConventions.FindIdentity(conventions.FindIdentityProperty, serializer.TypeInfo(type))?.AttributeProvider is MemberInfo id
        && id.Name == name;

    /// <summary>Like <see cref="ToParameter(object?)"/>, for a value that is compared with a field of a type.</summary>
    /// <param name="comparedWith">Type of the field; null if there is no field.</param>
    public object? ToParameter(object? value, Type? comparedWith) => comparedWith is null
        ? ToParameter(value)
        : ToParameter(value is null ? value : ComparedNumber.Check(CapturedOperators.AsStored(value, comparedWith)));

    /// <summary>The elements of a list as parameters hold them; null if it is not a list.</summary>
    public List<object?>? ToParameters(object? list, Type? comparedWith) =>
        CapturedValues.Elements(list) is { } elements ? [.. elements.Select(element => ToParameter(element, comparedWith))] : null;

    /// <summary>A value as parameters hold it: null, texts, numbers, truth values, lists of them, or JSON.</summary>
    /// <exception cref="NotSupportedException">The serializer does not know the type, or the value cannot be written.</exception>
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

        JsonElement json = ToJson(value);
        return json.ValueKind switch
        {
            JsonValueKind.String => json.GetString(),
            JsonValueKind.Number => json.TryGetInt64(out long whole) ? (object)whole : json.GetDouble(),
            _ => json,
        };
    }

    // A class may have members that cannot be written, refer to itself, or throw when it is read.
    [SuppressMessage("Design", "CA1031", Justification = "Getters and converters of users may throw anything; the message names the type and the reason.")]
    private JsonElement ToJson(object value)
    {
        try
        {
            return JsonSerializer.SerializeToElement(value, serializer.TypeInfo(value.GetType()));
        }
        catch (Exception failure) when (failure is not NotSupportedException)
        {
            throw new NotSupportedException($"A value of type {value.GetType()} cannot be written as JSON: {failure.Message}", failure);
        }
    }
}

/// <summary>Collects the parts of a query that cannot be translated while the rest is translated.</summary>
internal sealed class TranslationProblems
{
    private readonly List<TranslationProblem> _problems = [];

    public IReadOnlyList<TranslationProblem> All => _problems;

    public void Add(Expression fragment, string reason, string hint) => Add(Expressions.Describe(fragment), reason, hint);

    public void Add(string fragment, string reason, string hint)
    {
        var problem = new TranslationProblem(fragment, reason, hint);
        if (!_problems.Contains(problem))
        {
            _problems.Add(problem);
        }
    }

    /// <summary>Notes that a value cannot be a parameter of the query.</summary>
    public void AddValue(string fragment, NotSupportedException reason) => Add(
        fragment, $"Its value cannot be part of a query. {reason.Message}", "Compare with a simple value; round a decimal, decimal.Round(value, 10).");

    /// <summary>Notes a problem of a condition.</summary>
    public RqlCondition Refuse(Expression fragment, Refusal refusal) => Refuse(fragment, refusal.Reason, refusal.Hint);

    /// <inheritdoc cref="Refuse(Expression, Refusal)"/>
    public RqlCondition Refuse(Expression fragment, string reason, string hint)
    {
        Add(fragment, reason, hint);
        return new RefusedCondition();
    }
}
