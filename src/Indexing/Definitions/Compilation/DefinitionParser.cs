using Jackdaw.Indexing.Definitions.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Parses each text of a definition alone, and refuses what no text may contain.</summary>
internal static class DefinitionParser
{
    /// <summary>Most characters of all texts of a definition together. Hand-written ones have a few thousand; time and
    /// memory of compiling grow with the length.</summary>
    private const int TextLengthMax = 64 * 1024;

    public static readonly CSharpParseOptions Options = new(LanguageVersion.CSharp14, DocumentationMode.None);

    /// <exception cref="IndexCompilationException">A text is not C#, or contains something that is not allowed.</exception>
    public static DefinitionText[] Parse(IndexDefinition definition, CodeLibrary library)
    {
        CheckAssemblies(definition);
        long length = definition.Maps.Sum(map => (long)map.Length) + (definition.Reduce?.Length ?? 0)
            + definition.AdditionalSources.Sum(source => (long)source.Value.Length);
        if (length > TextLengthMax)
        {
            throw new IndexCompilationException(definition.Name, "Maps", null, "",
                $"its texts have {length} characters, and {TextLengthMax} is the most.");
        }

        List<DefinitionText> parts = [];
        for (int i = 0; i < definition.Maps.Count; i++)
        {
            parts.Add(ParseExpression(definition.Name, "Maps", $"Maps[{i}]", definition.Maps[i]));
        }

        if (definition.Reduce is not null)
        {
            parts.Add(ParseExpression(definition.Name, "Reduce", "Reduce", definition.Reduce));
        }

        foreach ((string name, string source) in definition.AdditionalSources)
        {
            parts.Add(Checked(definition.Name, "AdditionalSources", name, library.Prepare(source),
                text => (CSharpSyntaxNode)CSharpSyntaxTree.ParseText(text, Options).GetRoot()));
        }

        return [.. parts];
    }

    /// <summary>The exception that callers see for a fault in a text.</summary>
    public static IndexCompilationException Failure(string index, DefinitionText part, PartFault fault)
    {
        (int line, int column) = part.Place(fault.Position);
        string code = fault.Code is null ? "" : fault.Code + ": ";
        return new IndexCompilationException(index, part.Property, part.File, part.Text,
            $"{part.File}({line},{column}): {code}{fault.Message}")
        {
            Line = line,
            Column = column,
        };
    }

    private static void CheckAssemblies(IndexDefinition definition)
    {
        foreach (AdditionalAssembly assembly in definition.AdditionalAssemblies)
        {
            throw new IndexCompilationException(definition.Name, "AdditionalAssemblies", null, assembly.Label,
                $"the additional assembly '{assembly.Label}' cannot be used: definitions have the base library only. " +
                "Put the code that you need into an additional source.");
        }
    }

    private static DefinitionText ParseExpression(string index, string property, string file, string text)
    {
        // Alone and not pasted into a method: otherwise a text could close the method and continue after it.
        string expression = text.TrimEnd().TrimEnd(';');
        return Checked(index, property, file, expression,
            text => SyntaxFactory.ParseExpression(text, 0, Options, consumeFullText: true));
    }

    private static DefinitionText Checked(
        string index, string property, string file, string text, Func<string, CSharpSyntaxNode> parse)
    {
        var part = new DefinitionText(property, file, text, SyntaxFactory.IdentifierName(""));
        try
        {
            RefusedSyntax.CheckNesting(text);
            part = new DefinitionText(property, file, text, parse(text));
            Diagnostic? error = part.Syntax.GetDiagnostics().FirstOrDefault(d => d.Severity == DiagnosticSeverity.Error);
            if (error is not null)
            {
                throw new PartFault(error.Location.SourceSpan.Start, DiagnosticTexts.Of(error), error.Id);
            }

            RefusedSyntax.Check(part.Syntax);
            return part;
        }
        catch (PartFault fault)
        {
            throw Failure(index, part, fault);
        }
    }
}
