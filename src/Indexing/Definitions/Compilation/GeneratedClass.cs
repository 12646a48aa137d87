using System.Text;
using Jackdaw.Indexing.Definitions.Rows;
using Microsoft.CodeAnalysis.CSharp;

namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>The class with the maps and the reduce, the members that they read, and their late calls.</summary>
internal static class GeneratedClass
{
    /// <param name="parts">The rewritten texts, which get their places.</param>
    /// <param name="memberNames">The names that are read after a dot.</param>
    /// <param name="calls">The late calls.</param>
    public static string Make(DefinitionText[] parts, HashSet<string> memberNames, CallSites calls)
    {
        var code = new StringBuilder(GeneratedNames.ExpressionUsings);
        code.Append("namespace ").Append(GeneratedNames.Namespace).Append(";\npublic sealed class ")
            .Append(GeneratedNames.Class).Append(" : DefinitionBase {\n");
        int map = 0;
        foreach (DefinitionText part in parts.Where(part => part.IsExpression))
        {
            string method = part.IsReduce ? GeneratedNames.ReduceMethod : GeneratedNames.MapMethod + map++;
            string source = part.IsReduce ? nameof(ReduceSource) : nameof(MapSource);
            code.Append("public IEnumerable<object> ").Append(method).Append('(').Append(source).Append(' ')
                .Append(GeneratedNames.Source).Append(") { return\n");
            part.GeneratedStart = code.Length;

            // On another line: a comment at the end of the text must not swallow what follows.
            code.Append(part.Rewritten).Append("\n; }\n");
        }

        code.Append("}\n");
        calls.Write(code);
        code.Append("internal static class __Members {\n");
        string[] names = [.. memberNames.Where(IsMemberName).Order(StringComparer.Ordinal)];
        for (int i = 0; i < names.Length; i++)
        {
            code.Append($"private static readonly __MemberName n{i} = __MemberName.Of(\"{names[i]}\");\n");
        }

        code.Append($"extension({GeneratedNames.Value} value) {{\n");
        for (int i = 0; i < names.Length; i++)
        {
            code.Append(names[i] == GeneratedNames.ValueMember
                ? $"}}\nextension<T>(T value) where T : struct, __IMemberHolder {{\n" +
                    $"public {GeneratedNames.Value} {names[i]} => value.ReadMember(n{i});\n" +
                    $"}}\nextension({GeneratedNames.Value} value) {{\n"
                : $"public {GeneratedNames.Value} @{names[i]} => {GeneratedNames.Value}.Get(value, n{i});\n");
        }

        return code.Append("}\n}\n").ToString();
    }

    private static bool IsMemberName(string name) =>
        SyntaxFacts.IsValidIdentifier(name) && name is not ("GetType" or "Equals" or "GetHashCode" or "ToString");
}
