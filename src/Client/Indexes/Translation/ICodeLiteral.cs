namespace Jackdaw.Client.Indexes.Translation;

/// <summary>A value of the program that says itself how definitions write it in C#.</summary>
internal interface ICodeLiteral
{
    string ToCode();
}
