using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>One text of a definition on its way through the compiler: a map, the reduce, or an additional
/// source.</summary>
/// <param name="property">Which member of the definition it is: Maps, Reduce or AdditionalSources.</param>
/// <param name="file">Its name in messages.</param>
/// <param name="text">The text as the user wrote it.</param>
/// <param name="syntax">Its syntax tree, without errors.</param>
internal sealed class DefinitionText(string property, string file, string text, CSharpSyntaxNode syntax)
{
    public string Property => property;

    public string File => file;

    public string Text => text;

    public CSharpSyntaxNode Syntax => syntax;

    /// <summary>True for a map and the reduce: one expression. Additional sources are files.</summary>
    public bool IsExpression => property != "AdditionalSources";

    public bool IsReduce => property == "Reduce";

    /// <summary>What repairs add: casts, and calls that replace others. In positions of <see cref="Text"/>.</summary>
    public List<Action<TextEdits>> Repairs { get; } = [];

    /// <summary>The texts of the repairs so far, so that none is made twice.</summary>
    public HashSet<string> RepairKeys { get; } = [];

    /// <summary>Those of them that were made since the text was rewritten: one repair can answer several errors.</summary>
    public HashSet<string> NewRepairKeys { get; } = [];

    public TextEdits Edits { get; private set; } = new();

    public string Rewritten { get; private set; } = "";

    /// <summary>Where <see cref="Rewritten"/> begins in the generated file; 0 for additional sources.</summary>
    public int GeneratedStart { get; set; }

    public MapOutline Outline { get; private set; } = MapOutline.None;

    /// <summary>Rewrites the text with all repairs so far.</summary>
    /// <param name="memberNames">Gets the names that are read after a dot.</param>
    public void Rewrite(HashSet<string> memberNames, string[] fields)
    {
        Edits = new TextEdits();
        NewRepairKeys.Clear();
        // A later repair is around what an earlier one made.
        for (int i = Repairs.Count - 1; i >= 0; i--)
        {
            Repairs[i](Edits);
        }

        if (IsExpression)
        {
            var rewriter = new ExpressionRewriter(Edits, memberNames, Outline = MapOutline.Of(this), fields);
            rewriter.Visit(Syntax);
        }
        else
        {
            new SourceRewriter(Edits, memberNames).Visit(Syntax);
        }

        Rewritten = Edits.Apply(Text);
    }

    /// <summary>Line and column of a position in <see cref="Text"/>, both 1-based.</summary>
    public (int Line, int Column) Place(int position)
    {
        LinePosition place = SourceText.From(Text).Lines.GetLinePosition(Math.Clamp(position, 0, Text.Length));
        return (place.Line + 1, place.Character + 1);
    }
}
