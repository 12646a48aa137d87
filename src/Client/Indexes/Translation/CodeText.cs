namespace Jackdaw.Client.Indexes.Translation;

/// <summary>How tightly the outermost operator of a text binds, loosest first.</summary>
internal enum Tightness
{
    Lambda,
    Choice,
    Coalesce,
    OrElse,
    AndAlso,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// <summary>What a text is for the server's compiler.</summary>
internal enum CodeKind
{
    /// <summary>The one type of everything that comes from documents: its operators and methods pass null on.</summary>
    Value,

    /// <summary>A value from a document in which a number has the type that C# computes with: 5 of a decimal property is a decimal.</summary>
    Exact,

    /// <summary>A .NET string.</summary>
    Text,

    /// <summary>A .NET number, truth value, time or enum.</summary>
    Native,

    /// <summary>A .NET sequence.</summary>
    Sequence,

    /// <summary>An object that the definition makes.</summary>
    Object,
}

/// <summary>A piece of the C# of a definition.</summary>
internal readonly record struct CodeText(string Text, Tightness Level = Tightness.Primary, CodeKind Kind = CodeKind.Value)
{
    public bool IsValue => Kind is CodeKind.Value or CodeKind.Exact;

    /// <summary>The text, computing with the type of number that C# would use.</summary>
    public bool IsExact => Kind is CodeKind.Exact or CodeKind.Native;

    /// <summary>The text as an operand of an operator that binds this tightly.</summary>
    public string As(Tightness level) => Level >= level ? Text : $"({Text})";

    /// <summary>The text in a list: two comparisons in a row can look like type arguments.</summary>
    public string AsArgument => Level == Tightness.Relation ? $"({Text})" : Text;
}
