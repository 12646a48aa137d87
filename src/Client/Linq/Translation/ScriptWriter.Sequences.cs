using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Lists: LINQ within a projection becomes methods of arrays.</summary>
internal sealed partial class ScriptWriter
{
    private Script OfList(MethodCallExpression call, Expression list) => call.Method.Name switch
    {
        "get_Item" => new Script($"{Write(list, Level.Call)}[{Write(call.Arguments[0])}]"),
        "Contains" when call.Arguments.Count == 1 => OfSequence("Contains", [list, .. call.Arguments], call),
        "ContainsKey" => new Script($"{Write(list, Level.Call)}[{Write(call.Arguments[0])}]!==undefined", Level.Equality),
        "ToArray" => WriteParts(list),
        _ => Refuse(call),
    };

    private Script OfSequence(string method, List<Expression> arguments, MethodCallExpression call)
    {
        Type type = Expressions.Strip(arguments[0]).Type;
        if (type == typeof(byte[]))
        {
            return Refuse(call);
        }

        string list = Expressions.IsMap(type)
            ? $"Object.entries({Write(arguments[0])}).map(([a, b])=>({{ Key : a, Value : b }}))"
            : Write(arguments[0], Level.Call);
        Expression? second = arguments.ElementAtOrDefault(1);
        LambdaExpression? lambda = second is null ? null : Expressions.Strip(second) as LambdaExpression;
        if (arguments.Count > 2 && method is not ("ToDictionary" or "Contains"))
        {
            return Refuse(call);
        }

        if (lambda is not null && IsListOfDocuments(arguments[0]))
        {
            Name(lambda.Parameters[0], Fresh(lambda.Parameters[0]), isDocument: true);
        }

        string function = lambda is null ? "" : Write(lambda);
        string chosen = lambda is null ? list : $"{list}.map({function})";
        string filtered = lambda is null ? list : $"{list}.filter({function})";
        return method switch
        {
            "ToList" or "ToArray" or "AsEnumerable" or "Cast" or "ToHashSet" => new Script(list),
            "Select" => new Script(chosen),
            "SelectMany" when lambda is not null => new Script($"{list}.flatMap({function})"),
            "Where" => new Script(filtered),
            "Any" => lambda is null ? new Script($"{list}.length>0", Level.Relation) : new Script($"{list}.some({function})"),
            "All" => new Script($"{list}.every({function})"),
            "Count" or "LongCount" => new Script($"{filtered}.length"),
            "Sum" => new Script($"{chosen}{Summed(IsExact(call.Type))}"),
            "Average" => IsExact(call.Type)
                ? new Script($"(all_=>all_.length?exact(all_{Summed(isExact: true)}, \"/\", all_.length):null)({WithoutNulls(call, chosen)})")
                : new Script($"(all_=>all_{Summed(isExact: false)}/all_.length)({WithoutNulls(call, chosen)})"),
            "Min" or "Max" when IsTextOfOtherOrder(call.Type) => Refuse(call),
            "Min" => new Script($"(all_=>all_.length?all_.reduce((a, b)=>a<b?a:b):null)({WithoutNulls(call, chosen)})"),
            "Max" => new Script($"(all_=>all_.length?all_.reduce((a, b)=>a>b?a:b):null)({WithoutNulls(call, chosen)})"),
            "First" or "FirstOrDefault" or "Single" or "SingleOrDefault" => new Script($"{filtered}[0]"),
            "Last" or "LastOrDefault" => new Script($"{filtered}.slice(-1)[0]"),
            "ElementAt" or "ElementAtOrDefault" when second is not null => new Script($"{list}[{Write(second)}]"),
            "Contains" when second is not null => new Script($"{list}.includes({Beside(second, second, Level.Choice)})"),
            "Distinct" => new Script($"{list}.filter((a, i, all_)=>all_.indexOf(a)===i)"),
            "Reverse" => new Script($"{list}.slice().reverse()"),
            "Skip" when lambda is null && second is not null => new Script($"{list}.slice({Write(second)})"),
            "Take" when second?.Type == typeof(int) => new Script($"{list}.slice(0, {Write(second)})"),
            "Concat" when second is not null => new Script($"{list}.concat({Write(second)})"),
            "ToDictionary" => ToMap(list, arguments, call),
            "OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending" => Sorted(call),
            _ => Refuse(call),
        };
    }

    // C# leaves null out.
    private static string WithoutNulls(MethodCallExpression call, string chosen) =>
        Expressions.IsNullable(call.Type) || call.Type == typeof(string) ? chosen + ".filter(a=>a!=null)" : chosen;

    private bool IsTextOfOtherOrder(Type type) => Expressions.Plain(type) is var plain
        && (plain == typeof(TimeSpan) || plain == typeof(Version) || (plain.IsEnum && !Context.Enums.AreInOrder(plain)));

    private static string Summed(bool isExact) => isExact ? ".reduce((a, b)=>exact(a, \"+\", b??0), 0)" : ".reduce((a, b)=>a+b, 0)";

    private static bool IsListOfDocuments(Expression list) => Expressions.Strip(list) is MethodCallExpression call && MarkerOf(call) == Marker.LoadMany;

    private Script ToMap(string list, List<Expression> arguments, MethodCallExpression call)
    {
        if (arguments.Count is not (2 or 3) || Expressions.Strip(arguments[^1]) is not LambdaExpression)
        {
            return Refuse(call);
        }

        string key = Write(arguments[1], Level.Primary);
        string value = arguments.Count == 3 ? Write(arguments[2], Level.Primary) + "(a)" : "a";
        return new Script($"Object.fromEntries({list}.map(a=>[{key}(a), {value}]))");
    }

    // The keys of OrderBy and of the calls of ThenBy after it make one comparison.
    private Script Sorted(MethodCallExpression call)
    {
        List<(string Key, bool IsDescending)> keys = [];
        Expression list = call;
        while (list is MethodCallExpression { Arguments: [var before, var key] } order && order.Method.DeclaringType == typeof(Enumerable)
            && order.Method.Name is "OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending")
        {
            if (IsTextOfOtherOrder(Expressions.Strip(Expressions.Lambda(key).Body).Type))
            {
                return Refuse(call, "Order in the program.");
            }

            keys.Add((Write(key, Level.Primary), order.Method.Name.EndsWith("Descending", StringComparison.Ordinal)));
            list = before;
            if (order.Method.Name[0] == 'O')
            {
                break;
            }
        }

        keys.Reverse();
        IEnumerable<string> comparisons = keys.Select(key =>
        {
            (string less, string greater) = key.IsDescending ? ("1", "-1") : ("-1", "1");
            return $"{key.Key}(a)<{key.Key}(b)?{less}:{key.Key}(a)>{key.Key}(b)?{greater}";
        });
        return new Script($"{Write(list, Level.Call)}.slice().sort((a, b)=>{string.Join(':', comparisons)}:0)");
    }
}
