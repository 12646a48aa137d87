using Acornima;
using Acornima.Ast;

namespace Jackdaw.Scripting.Indexes;

/// <summary>From which collections a definition loads documents, as far as its text says so: <c>load(id, 'Companies')</c>.</summary>
/// <param name="Names">Collections that are named.</param>
/// <param name="HasOthers">It also loads in ways that name none.</param>
internal sealed record LoadedCollections(IReadOnlyList<string> Names, bool HasOthers)
{
    private const string Load = "load";

    /// <summary>It loads compare exchange values: <c>cmpxchg(key)</c>.</summary>
    public bool LoadsValues { get; init; }

    /// <param name="texts">JavaScript that was parsed before.</param>
    public static LoadedCollections Find(IEnumerable<string> texts)
    {
        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        bool hasOthers = false;
        bool loadsValues = false;
        var open = new Stack<Node>();
        foreach (string text in texts)
        {
            open.Push(new Parser(new ParserOptions { AllowReturnOutsideFunction = true }).ParseScript(text, strict: true));
        }

        while (open.TryPop(out Node? node))
        {
            switch (node)
            {
                case CallExpression { Callee: Identifier { Name: Load }, Arguments: [var id, Literal { Value: string name }] }:
                    names.Add(name);
                    open.Push(id);
                    continue;
                case MemberExpression { Computed: false } member: // noTracking.load
                    open.Push(member.Object);
                    continue;
                case Identifier { Name: Load }:
                    hasOthers = true;
                    continue;
                case Identifier { Name: "cmpxchg" }:
                    loadsValues = true;
                    continue;
            }

            foreach (Node child in node.ChildNodes)
            {
                open.Push(child);
            }
        }

        return new LoadedCollections([.. names], hasOthers) { LoadsValues = loadsValues };
    }
}
