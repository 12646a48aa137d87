namespace Jackdaw.Client.Indexes.Translation;

/// <summary>A value of the program that definitions write as C# of their own.</summary>
internal interface ICodeLiteral
{
    string ToCode();
}
