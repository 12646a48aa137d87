using System.Linq.Expressions;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Changes of a document that the server makes, without the document being loaded. They are made in the order of the calls, and those of
/// one document together.</summary>
/// <typeparam name="T">Of the document.</typeparam>
public sealed class DocumentPatch<T>
{
    private const string Document = "this";

    private readonly StringBuilder _script = new();
    private readonly TranslationProblems _problems = new();
    private readonly FieldResolver _fields;
    private readonly ScriptWriter _writer;
    private readonly TranslationContext _context;
    private int _variables;

    internal DocumentPatch(TranslationContext context)
    {
        _context = context;
        _fields = new FieldResolver(context);
        _writer = new ScriptWriter(_fields, _problems, null);
    }

    /// <summary>Sets a property.</summary>
    /// <param name="path">Such as <c>order => order.ShipTo.City</c>.</param>
    public DocumentPatch<T> Set<TValue>(Expression<Func<T, TValue>> path, TValue value) => Add($"{PathOf(path)} = {Value(value)};");

    /// <summary>Sets a property to a value that the server computes from the document: <c>order => order.Price * 2</c>.</summary>
    public DocumentPatch<T> Set<TValue>(Expression<Func<T, TValue>> path, Expression<Func<T, TValue>> computed)
    {
        ArgumentNullException.ThrowIfNull(computed);
        string target = PathOf(path);
        return Add($"{target} = {_writer.Write(BodyOf(computed))};");
    }

    /// <summary>Adds to a number. Whole numbers and decimals are added exactly, and a number that does not exist begins with 0.</summary>
    public DocumentPatch<T> Increment<TValue>(Expression<Func<T, TValue>> path, TValue by) => Add(AddedNumber.Statement(path, PathOf(path), Value(by)));

    /// <summary>Adds items at the end of a list. A list that does not exist is made.</summary>
    public DocumentPatch<T> Add<TItem>(Expression<Func<T, IEnumerable<TItem>?>> list, params IEnumerable<TItem> items)
    {
        ArgumentNullException.ThrowIfNull(items);
        string target = PathOf(list);
        return Add($"{target} = {target} ?? []; {target}.push({string.Join(", ", items.Select(Value))});");
    }

    /// <summary>Puts an item at a position of a list; at the end, if the list is shorter.</summary>
    public DocumentPatch<T> Insert<TItem>(Expression<Func<T, IEnumerable<TItem>?>> list, int position, TItem item)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        string target = PathOf(list);
        return Add($"{target} = {target} ?? []; {target}.splice({Value(position)}, 0, {Value(item)});");
    }

    /// <summary>Removes the first item of a list that is equal to this one, if there is one.</summary>
    public DocumentPatch<T> Remove<TItem>(Expression<Func<T, IEnumerable<TItem>?>> list, TItem item)
    {
        string target = PathOf(list);
        string at = $"at{_variables++}";
        return Add($"const {at} = ({target} ?? []).findIndex(item => JSON.stringify(item) === JSON.stringify({Value(item)})); " +
            $"if ({at} >= 0) {{ {target}.splice({at}, 1); }}");
    }

    /// <summary>Removes the item at a position, if the list is long enough.</summary>
    public DocumentPatch<T> RemoveAt<TItem>(Expression<Func<T, IEnumerable<TItem>?>> list, int position)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(position);
        string target = PathOf(list);
        return Add($"if ({target}) {{ {target}.splice({Value(position)}, 1); }}");
    }

    /// <summary>Removes all items of a list that meet a condition.</summary>
    public DocumentPatch<T> RemoveAll<TItem>(Expression<Func<T, IEnumerable<TItem>?>> list, Expression<Func<TItem, bool>> condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        string target = PathOf(list);
        return Add($"{target} = ({target} ?? []).filter(item => !({_writer.Write(condition)})(item));");
    }

    /// <summary>The script, with marks in the place of values.</summary>
    /// <exception cref="InvalidOperationException">There is no change.</exception>
    internal RqlScript Build() => _script.Length > 0 ? new RqlScript(_script.ToString().TrimEnd(), _writer.Values)
        : throw new InvalidOperationException("The patch changes nothing: call Set, Increment, Add or another of its methods.");

    private DocumentPatch<T> Add(string statement)
    {
        if (_problems.All is [var problem, ..])
        {
            throw new ArgumentException($"'{problem.Fragment}' is not written as a script: {problem.Reason} {problem.Hint}");
        }

        _script.Append(statement).Append(' ');
        return this;
    }

    private string PathOf(LambdaExpression path)
    {
        ArgumentNullException.ThrowIfNull(path);
        Expression body = BodyOf(path);
        return _fields.TryFind(body) is { IsDocument: false, IsId: false, IsOfEach: false }
            ? _writer.Write(body)
            : throw new ArgumentException($"'{path}' is not a property of the document that can be changed: use order => order.Company.", nameof(path));
    }

    private Expression BodyOf(LambdaExpression lambda)
    {
        _writer.Name(lambda.Parameters[0], Document, isDocument: true);
        _fields.Bind(lambda.Parameters[0], new RqlPath([], typeof(T)));
        return lambda.Body;
    }

    private string Value<TValue>(TValue value) => _writer.Mark(JsonSerializer.SerializeToElement(value, _context.TypeInfo<TValue>()));
}
