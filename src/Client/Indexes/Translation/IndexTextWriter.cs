using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Indexes.Translation;

/// <summary>Writes the expression of a map or reduce as the C# that the server compiles.</summary>
/// <remarks>
/// The server's compiler has one type for everything that comes from documents: null is passed on, and a number has the type that JSON shows. Where
/// C# would compute with another type (5 of a decimal property, two texts that are times), a cast is written. Everything is written in method form
/// with
/// as few parentheses as the same tree needs. A part that depends on no row is computed here, once, and becomes a literal.
/// </remarks>
internal sealed partial class IndexTextWriter
{
    /// <summary>Levels of nested lambdas that the server accepts.</summary>
    private const int NestedLambdasMax = 8;

    private static readonly string[] s_rootOperators = ["Select", "SelectMany", "Where", "GroupBy"];

    private readonly IndexTextContext _context;
    private readonly RowScope _scope = new();
    private readonly HashSet<Expression> _rows = [];
    private readonly ParameterExpression _root;
    private readonly string _source;
    private readonly bool _isReduce;
    private int _depth;
    private bool _isRead;

    private IndexTextWriter(IndexTextContext context, ParameterExpression root, string source, bool isReduce) =>
        (_context, _root, _source, _isReduce) = (context, root, source, isReduce);

    /// <summary>A map.</summary>
    /// <param name="source">What it reads: <c>docs.Users</c>.</param>
    /// <param name="isOfDocuments">Whether its elements have ids.</param>
    public static string Map(LambdaExpression map, string source, bool isOfDocuments, IndexTextContext context)
    {
        var writer = new IndexTextWriter(context, map.Parameters[0], source, isReduce: false);
        if (isOfDocuments)
        {
            writer._scope.BindDocument(map.Parameters[0]);
        }

        return writer.Whole(map);
    }

    /// <summary>A reduce.</summary>
    public static string Reduce(LambdaExpression reduce, IndexTextContext context) =>
        new IndexTextWriter(context, reduce.Parameters[0], "results", isReduce: true).Whole(reduce);

    private string Whole(LambdaExpression whole)
    {
        try
        {
            Expression body = Expressions.Strip(whole.Body);
            FindRows(body);
            if (_rows.Count == 0)
            {
                _context.Add(body, "It makes no objects with the fields of the index.", "End it with select new { ... }.");
            }

            return Chain(body).Text;
        }
        catch (InsufficientExecutionStackException)
        {
            _context.Add("the definition", "It is nested too deeply.", "Split it, or move a part to an additional source.");
            return "";
        }
    }

    // The objects of the last select: their members are the fields.
    private void FindRows(Expression expression)
    {
        switch (expression)
        {
            case MethodCallExpression { Method.Name: "Where", Arguments: [var source, ..] }:
                FindRows(Expressions.Strip(source));
                break;
            case MethodCallExpression { Method.Name: "Select" or "SelectMany" } call when call.Arguments.Count > 1:
                Expression body = Expressions.Strip(Expressions.Lambda(call.Arguments[^1]).Body);
                if (call is { Method.Name: "SelectMany", Arguments.Count: 2 })
                {
                    FindRows(body);
                }
                else
                {
                    AddRows(body);
                }

                break;
        }
    }

    private void AddRows(Expression body)
    {
        switch (Expressions.Strip(body))
        {
            case ConditionalExpression choice:
                AddRows(choice.IfTrue);
                AddRows(choice.IfFalse);
                break;
            case MethodCallExpression { Method.Name: "Boost", Arguments: [var value, _] }:
                AddRows(value);
                break;
            case NewExpression or MemberInitExpression or ListInitExpression:
                _rows.Add(Expressions.Strip(body));
                break;
        }
    }

    // The outermost operators see all documents. The server allows only a few of them there.
    private CodeText Chain(Expression expression)
    {
        if (expression == _root)
        {
            return Root(expression);
        }

        if (expression is not MethodCallExpression { Arguments: [var source, ..] } call || call.Method.DeclaringType != typeof(Enumerable))
        {
            return Refuse(expression, "A map or reduce must be a chain of operators over its source.", "Write from x in source ... select new { ... }.");
        }

        if (call.Method.Name is "AsEnumerable" or "ToList" or "ToArray" or "Cast")
        {
            return Chain(Expressions.Strip(source));
        }

        if (!s_rootOperators.Contains(call.Method.Name))
        {
            Refuse(call, $"{call.Method.Name} cannot be used there: a map sees one document and a reduce one group at a time.",
                "Order and limit results in the query.");
            return Chain(Expressions.Strip(source));
        }

        if (_isReduce && Expressions.Strip(source) == _root && call.Method.Name != "GroupBy")
        {
            _context.Add(call, "A reduce must begin with its grouping.", "Write from r in results group r by r.Key into g select new { ... }.");
        }

        return Operator(call, Chain(Expressions.Strip(source)));
    }

    private CodeText Root(Expression expression)
    {
        if (_isRead)
        {
            Refuse(expression, "The source is read once.", "To read other documents use LoadDocument.");
        }

        _isRead = true;
        return new CodeText(_source, Kind: CodeKind.Sequence);
    }

    private CodeText Refuse(Expression expression, string reason, string hint)
    {
        _context.Add(expression, reason, hint);
        return new CodeText("null");
    }

    private CodeText RefuseCall(MethodCallExpression call, string? hint = null) => Refuse(
        call, $"The server has no {call.Method.DeclaringType?.Name}.{call.Method.Name} with these arguments.",
        hint ?? "Move it to a static method and give its source to AdditionalSources.");

    // As an operand of an operator that binds this tightly.
    private string Write(Expression expression, Tightness level) => Write(expression).As(level);

    private CodeText Write(Expression expression)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw new InsufficientExecutionStackException();
        }

        bool isLambda = expression is LambdaExpression or UnaryExpression { NodeType: ExpressionType.Quote };
        string unread = "";
        if (!isLambda && !Expressions.UsesParameter(expression))
        {
            if (ClockFinder.Find(expression) is { } changing)
            {
                return Refuse(changing, "Entries must not depend on when they are made.",
                    "Compare with the time in the query; for documents that change with time set @refresh or @expires in their metadata.");
            }

            if (CapturedValues.TryRead(expression, out object? value, out unread) && Literal(value, expression.Type) is { } literal)
            {
                return literal;
            }
        }

        return expression switch
        {
            ParameterExpression parameter when parameter == _root => Root(parameter),
            ParameterExpression parameter => Parameter(parameter),
            MemberExpression { Expression: ConstantExpression } => Refuse(
                expression, unread.Length > 0 ? unread : "Its value cannot be written in a definition.", "Compute it first, or use an additional source."),
            MemberExpression member => Member(member),
            BinaryExpression binary => Binary(binary),
            UnaryExpression unary => Unary(unary),
            ConditionalExpression choice => Choice(choice),
            MethodCallExpression call => Call(call),
            NewExpression or MemberInitExpression => Made(expression),
            NewArrayExpression { NodeType: ExpressionType.NewArrayInit } array => Array([.. array.Expressions]),
            ListInitExpression list => List(list),
            TypeBinaryExpression { NodeType: ExpressionType.TypeIs } test => Is(test),
            LambdaExpression => Refuse(expression, "A lambda cannot be used there.", "Pass it to an operator of LINQ."),
            InvocationExpression => Refuse(expression, "The server cannot call a delegate.", "Write its expression in its place."),
            _ => Refuse(expression, unread.Length > 0 ? unread : "It has no counterpart in a definition.", "Compute it first, or use an additional source."),
        };
    }

    private CodeText Parameter(ParameterExpression parameter)
    {
        CodeKind kind = IsGroup(parameter.Type) ? CodeKind.Sequence : IsAnonymous(parameter.Type) ? CodeKind.Object : CodeKind.Value;
        return _scope.NameOf(parameter) is { } name
            ? new CodeText(CSharpText.Name(name), Kind: kind)
            : Refuse(parameter, "It is not a parameter of this definition.", "Write the whole expression in one place.");
    }

    private CodeText Choice(ConditionalExpression choice)
    {
        string test = Write(choice.Test, Tightness.Coalesce);
        CodeText whenTrue = Write(choice.IfTrue);
        CodeText whenFalse = Write(choice.IfFalse);
        CodeKind kind = whenTrue.Kind == whenFalse.Kind ? whenTrue.Kind : CodeKind.Value;
        return new CodeText($"{test} ? {whenTrue.As(Tightness.Choice)} : {whenFalse.As(Tightness.Choice)}", Tightness.Choice, kind);
    }

    /// <summary>A lambda of an operator of LINQ.</summary>
    /// <param name="elements">What its parameters stand for.</param>
    /// <param name="isOrdered">Whether its result is compared: texts that are times are not in the order of time.</param>
    private string Lambda(Expression argument, IReadOnlyList<Expression?> elements, bool isOrdered = false)
    {
        if (Expressions.Strip(argument) is not LambdaExpression lambda)
        {
            return Refuse(argument, "It is a delegate that the server does not have.", "Write the lambda in its place.").Text;
        }

        if (++_depth == NestedLambdasMax + 1)
        {
            _context.Add(lambda, $"More than {NestedLambdasMax} lambdas are nested.", "Move the inner ones to a method in AdditionalSources.");
        }

        string[] names = [.. lambda.Parameters.Select((parameter, i) => _scope.Enter(parameter, i < elements.Count ? elements[i] : null))];
        CodeText body = Write(lambda.Body);
        foreach (ParameterExpression parameter in lambda.Parameters)
        {
            _scope.Leave(parameter);
        }

        _depth--;
        body = isOrdered && IsTime(Expressions.Plain(lambda.Body.Type)) ? Timed(body, lambda.Body.Type) : body;
        return $"{(names.Length == 1 ? names[0] : $"({string.Join(", ", names)})")} => {body.Text}";
    }

    private string Arguments(IEnumerable<Expression> arguments) => Listed([.. arguments.Select(Write)]);

    private static string Listed(IReadOnlyList<CodeText> items) =>
        items.Count == 1 ? items[0].Text : string.Join(", ", items.Select(item => item.AsArgument));

    private static bool IsGroup(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IGrouping<,>);

    private static bool IsAnonymous(Type type) =>
        type.Name.Contains("AnonymousType", StringComparison.Ordinal) && type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);
}
