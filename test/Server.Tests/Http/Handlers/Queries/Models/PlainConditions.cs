using System.Text.Json;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>A document of the model, with the number of its last write.</summary>
internal sealed record PlainDocument(string Id, string Collection, JsonElement Body);

/// <summary>A field as a query writes it, and the names on its way.</summary>
internal sealed record PlainField(string Rql, params string[] Path);

/// <summary>A condition: its text in RQL, and whether a document meets it.</summary>
internal abstract record PlainCondition
{
    /// <summary>Writes it; values go through the writer, which may make parameters of them.</summary>
    public abstract string ToRql(PlainWriter writer);

    public abstract bool IsMet(PlainDocument document);

    /// <summary>Whether a filter can ask it as well.</summary>
    public virtual bool IsForFilters => true;
}

internal sealed record PlainEqual(PlainField Field, JsonElement Value, bool IsNegated, bool IsExact) : PlainCondition
{
    public override string ToRql(PlainWriter writer) => $"{Field.Rql} {(IsNegated ? "!=" : "=")} {writer.Write(Value)}";

    public override bool IsMet(PlainDocument document)
    {
        List<JsonElement> values = PlainValues.At(document.Body, Field.Path);
        return !IsNegated ? values.Any(value => PlainValues.AreEqual(value, Value, IsExact))
            : Value.ValueKind == JsonValueKind.Null ? values.Any(value => value.ValueKind != JsonValueKind.Null)
            : !values.Any(value => PlainValues.AreEqual(value, Value, IsExact));
    }
}

/// <summary>A range; its text has {0} and {1} for the ends.</summary>
internal sealed record PlainRange(
    PlainField Field, string Rql, JsonElement? Low, bool IncludesLow, JsonElement? High, bool IncludesHigh, bool IsExact) : PlainCondition
{
    public override string ToRql(PlainWriter writer)
    {
        string low = Low is { } lower ? writer.Write(lower) : "'*'";
        string high = High is { } upper ? writer.Write(upper) : "'NULL'";
        return $"{Field.Rql} {Rql.Replace("{0}", low, StringComparison.Ordinal).Replace("{1}", high, StringComparison.Ordinal)}";
    }

    public override bool IsMet(PlainDocument document) => PlainValues.At(document.Body, Field.Path)
        .Any(value => PlainValues.IsBetween(value, Low, IncludesLow, High, IncludesHigh, IsExact));
}

internal sealed record PlainIn(PlainField Field, IReadOnlyList<JsonElement> Values, bool IsAll, bool IsExact) : PlainCondition
{
    public override string ToRql(PlainWriter writer) =>
        $"{Field.Rql} {(IsAll ? "all in" : "in")} ({writer.WriteList(Values)})";

    public override bool IsMet(PlainDocument document)
    {
        List<JsonElement> found = PlainValues.At(document.Body, Field.Path);
        bool Has(JsonElement wanted) => found.Any(value => PlainValues.AreEqual(value, wanted, IsExact));
        return IsAll ? Values.All(Has) : Values.Any(Has);
    }
}

internal sealed record PlainAffix(PlainField Field, string Text, bool IsStart, bool IsExact) : PlainCondition
{
    public override string ToRql(PlainWriter writer) =>
        $"{(IsStart ? "startsWith" : "endsWith")}({Field.Rql}, {writer.Write(JsonSerializer.SerializeToElement(Text))})";

    public override bool IsMet(PlainDocument document)
    {
        string affix = PlainValues.Fold(Text, IsExact);
        return PlainValues.At(document.Body, Field.Path).Select(value => PlainValues.TextOf(value, IsExact)).Any(text => text is not null
            && (IsStart ? text.StartsWith(affix, StringComparison.Ordinal) : text.EndsWith(affix, StringComparison.Ordinal)));
    }
}

internal sealed record PlainExists(PlainField Field) : PlainCondition
{
    public override string ToRql(PlainWriter writer) => $"exists({Field.Rql})";

    public override bool IsMet(PlainDocument document) => PlainValues.Exists(document.Body, Field.Path);
}

internal sealed record PlainId(string Operator, IReadOnlyList<string> Ids) : PlainCondition
{
    public override string ToRql(PlainWriter writer) => Operator switch
    {
        "startsWith" => $"startsWith(id(), {writer.Write(JsonSerializer.SerializeToElement(Ids[0]))})",
        "in" => $"id() in ({writer.WriteList([.. Ids.Select(id => JsonSerializer.SerializeToElement(id))])})",
        _ => $"id() {Operator} {writer.Write(JsonSerializer.SerializeToElement(Ids[0]))}",
    };

    public override bool IsMet(PlainDocument document) => Operator switch
    {
        "startsWith" => document.Id.StartsWith(Ids[0], StringComparison.OrdinalIgnoreCase),
        "!=" => !document.Id.Equals(Ids[0], StringComparison.OrdinalIgnoreCase),
        _ => Ids.Contains(document.Id, StringComparer.OrdinalIgnoreCase),
    };
}

internal sealed record PlainSearch(PlainField Field, string Text, bool IsAnd) : PlainCondition
{
    public override bool IsForFilters => false;

    public override string ToRql(PlainWriter writer)
    {
        string words = writer.Write(JsonSerializer.SerializeToElement(Text));
        return $"search({Field.Rql}, {words}{(IsAnd ? ", and" : "")})";
    }

    public override bool IsMet(PlainDocument document) =>
        PlainWords.IsFound([.. PlainValues.At(document.Body, Field.Path)], PlainValues.Exists(document.Body, Field.Path), Text, IsAnd);
}

internal sealed record PlainLogical(bool IsAnd, IReadOnlyList<PlainCondition> Parts) : PlainCondition
{
    public override bool IsForFilters => Parts.All(part => part.IsForFilters);

    public override string ToRql(PlainWriter writer) =>
        string.Join(IsAnd ? " and " : " or ", Parts.Select(part => part is PlainLogical or PlainNot ? $"({part.ToRql(writer)})" : part.ToRql(writer)));

    public override bool IsMet(PlainDocument document) => IsAnd ? Parts.All(part => part.IsMet(document)) : Parts.Any(part => part.IsMet(document));
}

internal sealed record PlainNot(PlainCondition Inner) : PlainCondition
{
    public override bool IsForFilters => Inner.IsForFilters;

    public override string ToRql(PlainWriter writer) => $"true and not ({Inner.ToRql(writer)})";

    public override bool IsMet(PlainDocument document) => !Inner.IsMet(document);
}

/// <summary>A condition inside a method that leaves its meaning as it is, or whose meaning the condition has already.</summary>
/// <remarks>The text has {0} for the condition.</remarks>
internal sealed record PlainWrapped(string Rql, PlainCondition Inner, bool IsForWhereOnly) : PlainCondition
{
    public override bool IsForFilters => !IsForWhereOnly && Inner.IsForFilters;

    public override string ToRql(PlainWriter writer) => Rql.Replace("{0}", Inner.ToRql(writer), StringComparison.Ordinal);

    public override bool IsMet(PlainDocument document) => Inner.IsMet(document);
}
