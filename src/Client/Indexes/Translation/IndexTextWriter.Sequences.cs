using System.Linq.Expressions;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Operators of LINQ, and methods of lists.</summary>
internal sealed partial class IndexTextWriter
{
    private CodeText OfSequence(MethodCallExpression call)
    {
        Expression first = call.Arguments.Count > 0 ? Expressions.Strip(call.Arguments[0]) : call;
        switch (call.Method.Name)
        {
            case "Range" or "Repeat":
                IEnumerable<CodeText> numbers = call.Arguments.Zip(call.Method.GetParameters(), (value, parameter) =>
                    parameter.ParameterType == typeof(int) ? Native(value, typeof(int)) : Write(value));
                return new CodeText($"Enumerable.{call.Method.Name}({Listed([.. numbers])})", Kind: CodeKind.Sequence);
            case "Empty":
                return ArrayOf([]);
            case "OfType" when call.Method.GetGenericArguments()[0] is var type && !Expressions.IsLeaf(type):
                return Refuse(call, "The server does not know the types of the program.", "Store what distinguishes them in a property, and use Where.");
            case "Count" or "LongCount" or "Average" when _isReduce && IsOfGroup(first):
                return Refuse(call, $"A reduce gets its own results again, so {call.Method.Name} of a group counts them, not what was mapped.",
                    "Map Count = 1 and sum it; for an average keep the sum and the count.");
        }

        CodeText source = Write(first);
        return Operator(call, source.Kind == CodeKind.Text ? Dynamic(source) : source);
    }

    // A group, or a part of its elements.
    private static bool IsOfGroup(Expression source) => Expressions.Strip(source) switch
    {
        ParameterExpression parameter => IsGroup(parameter.Type),
        MethodCallExpression { Method.Name: "Where", Arguments: [var inner, ..] } => IsOfGroup(inner),
        _ => false,
    };

    /// <summary>One operator after its source.</summary>
    private CodeText Operator(MethodCallExpression call, CodeText source)
    {
        string list = source.As(Tightness.Primary);
        Expression[] rest = [.. call.Arguments.Skip(1)];
        Expression? element = _scope.ElementOf(call.Arguments[0]);
        bool isMap = typeof(System.Collections.IDictionary).IsAssignableFrom(Expressions.Strip(call.Arguments[0]).Type) && source.IsValue;
        string name = call.Method.Name;
        switch (name)
        {
            case "AsEnumerable" or "Cast":
                return source;
            case "ToList" or "ToArray" or "ToHashSet" or "Distinct" or "Reverse" or "Any" or "Count" or "LongCount" or "Sum" or "Average"
                or "Single" or "Last" or "DefaultIfEmpty" when rest.Length == 0:
                return new CodeText($"{list}.{name}()", Kind: KindOf(call));
            case "Min" or "Max" when rest.Length == 0:
                return IsTime(Expressions.Plain(call.Type)) ? Ordered(list, name, call.Type) : new CodeText($"{list}.{name}()");
            case "First" or "FirstOrDefault" or "LastOrDefault" or "SingleOrDefault" when rest.Length == 0:
                return OrDefault(call, new CodeText($"{(isMap ? Pairs(list) : list)}.{name}()"));
            case "ElementAt" or "ElementAtOrDefault" when rest[0].Type == typeof(int):
                return OrDefault(call, new CodeText($"{(isMap ? Pairs(list) : list)}.{name}({Native(rest[0], typeof(int)).Text})"));
            case "Where" or "Select" or "Any" or "All" or "Count" or "Sum" or "Average" or "SelectMany" when rest.Length == 1 && HasPlainLambda(rest[0], name):
                return new CodeText($"{list}.{name}({Lambda(rest[0], [element])})", Kind: KindOf(call));
            case "Min" or "Max" or "OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending" when rest.Length == 1:
                return new CodeText($"{list}.{name}({Lambda(rest[0], [element], isOrdered: true)})", Kind: KindOf(call));
            case "First" or "FirstOrDefault" or "LastOrDefault" or "Last" or "Single" or "SingleOrDefault" or "LongCount" when rest.Length == 1
                && IsLambda(rest[0]):
                return OrDefault(call, new CodeText($"{list}.Where({Lambda(rest[0], [element])}).{name}()", Kind: KindOf(call)));
            case "SelectMany" when rest.Length == 2 && HasPlainLambda(rest[0], name):
                Expression? inner = _scope.ElementOf(Expressions.Lambda(rest[0]).Body);
                return new CodeText($"{list}.SelectMany({Lambda(rest[0], [element])}, {Lambda(rest[1], [element, inner])})", Kind: CodeKind.Sequence);
            case "Contains" when rest.Length == 1 || (rest.Length == 2 && CapturedValues.TryRead(rest[1], out object? comparer, out _) && comparer is null):
                return new CodeText($"{list}.Contains({Beside(rest[0], rest[0]).Text})", Kind: CodeKind.Native);
            default:
                return Rare(call, source, rest, element);
        }
    }

    private CodeText Rare(MethodCallExpression call, CodeText source, Expression[] rest, Expression? element)
    {
        string list = source.As(Tightness.Primary);
        string name = call.Method.Name;
        switch (name)
        {
            case "OfType":
                return new CodeText($"{list}.OfType<{TypeName(call.Method.GetGenericArguments()[0])}>()", Kind: CodeKind.Sequence);
            case "Skip" or "Take" when rest[0].Type == typeof(int):
                return new CodeText($"{list}.{name}({Native(rest[0], typeof(int)).Text})", Kind: CodeKind.Sequence);
            case "Concat" or "Union" or "Except" or "Intersect" when rest.Length == 1:
                return new CodeText($"{list}.{name}({Dynamics(rest[0])})", Kind: CodeKind.Sequence);
            case "Append":
                return new CodeText($"{list}.Concat(new dynamic[] {{ {Write(rest[0]).Text} }})", Kind: CodeKind.Sequence);
            case "Prepend":
                return new CodeText($"new dynamic[] {{ {Write(rest[0]).Text} }}.Concat({list})", Kind: CodeKind.Sequence);
            case "Order" or "OrderDescending" when rest.Length == 0:
                string item = _scope.Free("item");
                return new CodeText($"{list}.{name.Replace("Order", "OrderBy", StringComparison.Ordinal)}({item} => {item})", Kind: CodeKind.Sequence);
            case "DefaultIfEmpty":
                return new CodeText($"{list}.DefaultIfEmpty({Write(rest[0]).Text})", Kind: CodeKind.Sequence);
            case "GroupBy" when rest.Length == 1:
                return new CodeText($"{list}.GroupBy({Lambda(rest[0], [element])})", Kind: CodeKind.Sequence);
            case "GroupBy" when rest.Length == 2 && Expressions.Strip(rest[1]) is LambdaExpression { Parameters.Count: 1 }:
                return new CodeText($"{list}.GroupBy({Lambda(rest[0], [element])}, {Lambda(rest[1], [element])})", Kind: CodeKind.Sequence);
            case "ToDictionary" when rest.Length == 1 && IsLambda(rest[0]):
                string value = _scope.Free("item");
                return new CodeText($"{list}.ToDictionary({Lambda(rest[0], [element])}, {value} => {value})", Kind: CodeKind.Sequence);
            case "ToDictionary" when rest.Length == 2 && IsLambda(rest[1]):
                return new CodeText($"{list}.ToDictionary({Lambda(rest[0], [element])}, {Lambda(rest[1], [element])})", Kind: CodeKind.Sequence);
            case "Aggregate" when rest.Length == 1:
                return new CodeText($"{list}.Aggregate({Lambda(rest[0], [element, element])})");
            case "Aggregate" when rest.Length == 2:
                return new CodeText($"{list}.Aggregate({Write(rest[0]).Text}, {Lambda(rest[1], [null, element])})");
            case "Zip" when rest.Length == 2:
                return new CodeText($"{list}.Zip({Write(rest[0]).Text}, {Lambda(rest[1], [element, _scope.ElementOf(rest[0])])})", Kind: CodeKind.Sequence);
            case "Join" or "GroupJoin" when rest.Length == 4:
                return Join(call, source, rest, element);
            default:
                return RefuseCall(call, "Use another operator of LINQ, or give the source of a static method to AdditionalSources.");
        }
    }

    private CodeText Join(MethodCallExpression call, CodeText source, Expression[] rest, Expression? element)
    {
        string list = call.Method.Name == "GroupJoin" && source.IsValue ? $"{source.As(Tightness.Primary)}.Select(item => item)" : source.As(Tightness.Primary);
        Expression? other = _scope.ElementOf(rest[0]);
        string keys = $"{Lambda(rest[1], [element])}, {Lambda(rest[2], [other])}";
        Expression? second = call.Method.Name == "Join" ? other : null;
        return new CodeText($"{list}.{call.Method.Name}({Write(rest[0]).Text}, {keys}, {Lambda(rest[3], [element, second])})", Kind: CodeKind.Sequence);
    }

    // One list has constants, the other one values.
    private string Dynamics(Expression list)
    {
        CodeText text = Write(list);
        return text.Text.StartsWith("new[] {", StringComparison.Ordinal) ? "new dynamic" + text.Text[3..] : text.Text;
    }

    private CodeText Ordered(string list, string name, Type type)
    {
        string item = _scope.Free("item");
        return new CodeText($"{list}.{name}({item} => {Timed(new CodeText(item), type).Text})");
    }

    private string Pairs(string list)
    {
        string pair = _scope.Free("pair");
        return $"{list}.Select({pair} => {pair})";
    }

    // When there is no element, LINQ gives the default of a number, but the server would give null.
    private CodeText OrDefault(MethodCallExpression call, CodeText found) =>
        call.Method.Name.EndsWith("OrDefault", StringComparison.Ordinal) && DefaultOf(call.Type) is { } none ? Coalesce(found, none) : found;

    private static bool IsLambda(Expression argument) => Expressions.Strip(argument) is LambdaExpression;

    // Only Select is available with the position of an element.
    private static bool HasPlainLambda(Expression argument, string name) =>
        Expressions.Strip(argument) is LambdaExpression lambda && (lambda.Parameters.Count == 1 || name == "Select");

    private static CodeKind KindOf(MethodCallExpression call) =>
        call.Type == typeof(bool) || (call.Method.Name is "Count" or "LongCount") ? CodeKind.Native
            : Expressions.IsSequence(call.Type) ? CodeKind.Sequence
            : CodeKind.Value;

    private CodeText OfList(MethodCallExpression call, Expression list)
    {
        string owner = Write(list, Tightness.Primary);
        switch (call.Method.Name)
        {
            case "Contains" when call.Arguments.Count == 1:
                return new CodeText($"{owner}.Contains({Write(call.Arguments[0]).Text})", Kind: CodeKind.Native);
            case "ContainsKey":
                return new CodeText($"{owner}.ContainsKey({Key(list.Type, call.Arguments[0]).Text})", Kind: CodeKind.Native);
            case "ToArray" or "ToList" when call.Arguments.Count == 0:
                return new CodeText($"{owner}.{call.Method.Name}()", Kind: CodeKind.Sequence);
            case "Exists" or "TrueForAll" or "Find" or "FindAll" or "ConvertAll" when call.Arguments.Count == 1 && IsLambda(call.Arguments[0]):
                string lambda = Lambda(call.Arguments[0], []);
                return call.Method.Name switch
                {
                    "Exists" => new CodeText($"{owner}.Any({lambda})", Kind: CodeKind.Native),
                    "TrueForAll" => new CodeText($"{owner}.All({lambda})", Kind: CodeKind.Native),
                    "Find" => new CodeText($"{owner}.Where({lambda}).FirstOrDefault()"),
                    "FindAll" => new CodeText($"{owner}.Where({lambda})", Kind: CodeKind.Sequence),
                    _ => new CodeText($"{owner}.Select({lambda})", Kind: CodeKind.Sequence),
                };
            default:
                return RefuseCall(call, "Use an operator of LINQ.");
        }
    }

    private CodeText Item(Expression list, Expression key)
    {
        CodeText owner = Write(list);
        CodeText index = owner.IsValue ? Key(list.Type, key) : Native(key, key.Type);
        return new CodeText($"{owner.As(Tightness.Primary)}[{index.Text}]");
    }

    // Keys of dictionaries are texts in documents.
    private CodeText Key(Type type, Expression key)
    {
        bool isMap = typeof(System.Collections.IDictionary).IsAssignableFrom(type)
            || (type.IsGenericType && type.Name.Contains("Dictionary", StringComparison.Ordinal));
        CodeText text = Write(key);
        return !isMap || key.Type == typeof(string) || text.Kind == CodeKind.Text ? text
            : Expressions.UsesParameter(key) ? new CodeText($"{text.As(Tightness.Primary)}.ToString()", Kind: CodeKind.Text)
            : new CodeText(CSharpText.Text(text.Text.TrimEnd('L').Trim('\'')), Kind: CodeKind.Text);
    }
}
