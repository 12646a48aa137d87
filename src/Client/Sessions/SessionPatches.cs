using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>Changes of documents that are not loaded. They are saved with the session's other changes, after those of documents.</summary>
public sealed class SessionPatches
{
    private readonly SessionCore _core;

    internal SessionPatches(SessionCore core) => _core = core;

    /// <summary>Sets a property.</summary>
    /// <param name="path">Such as <c>order => order.Ship.City</c>.</param>
    public void Set<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue value)
    {
        ArgumentNullException.ThrowIfNull(path);
        Script(id, SetterOf(path), value);
    }

    /// <summary>Sets a property, or stores the object when the document does not exist.</summary>
    /// <param name="entity">The object in its current state. It is not changed, and the session does not track it.</param>
    public void AddOrPatch<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue value)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(path);
        Patch(id, SetterOf(path), value, NewDocument(entity));
    }

    /// <summary>Adds to a number, or stores the object when the document does not exist.</summary>
    /// <param name="entity">The object in its current state. It is not changed, and the session does not track it.</param>
    public void AddOrIncrement<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue by)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(path);
        Patch(id, AdderOf(path), by, NewDocument(entity));
    }

    /// <summary>Adds to a number. A number that does not exist begins with 0.</summary>
    /// <param name="path">Such as <c>order => order.Number</c>.</param>
    public void Increment<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue by)
    {
        ArgumentNullException.ThrowIfNull(path);
        Script(id, AdderOf(path), by);
    }

    /// <summary>Sets a property of the document of an object of the session. After the save the object has what the server has stored.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public void Set<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue value)
        where T : class => Set(_core.KnownIdOf(entity), path, value);

    /// <summary>Adds to a number of the document of an object of the session. After the save the object has what the server has stored.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public void Increment<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue by)
        where T : class => Increment(_core.KnownIdOf(entity), path, by);

    /// <summary>Changes the document of an object of the session. After the save the object has what the server has stored.</summary>
    /// <exception cref="InvalidOperationException">The session does not know the object, or its document has no id yet.</exception>
    public void Patch<T>(T entity, Action<DocumentPatch<T>> change)
        where T : class => Patch(_core.KnownIdOf(entity), change);

    /// <summary>Runs a script on a document: <c>this</c> is the document, <c>args.value</c> the value.</summary>
    /// <param name="value">Any value; never write values into the script.</param>
    public void Script<TValue>(string id, string script, TValue value) => Patch(id, script, value, missing: null);

    /// <summary>Changes a document: <c>Patch&lt;Order&gt;("orders/1", patch => patch.Set(o => o.Status, "open").Add(o => o.Tags, "new"))</c>.</summary>
    /// <param name="change">Says what is changed. It is called once, at once.</param>
    public void Patch<T>(string id, Action<DocumentPatch<T>> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var patch = new DocumentPatch<T>(new TranslationContext(_core.Conventions, _core.Serializer));
        change(patch);
        RqlScript script = patch.Build();
        List<object?> values = [];
        string text = script.Print(value =>
        {
            values.Add(value);
            return $"args.v{values.Count - 1}";
        });
        Patch(id, text, json =>
        {
            for (int i = 0; i < values.Count; i++)
            {
                json.WritePropertyName($"v{i}");
                QueryBody.WriteValue(json, values[i], _core.Serializer);
            }
        }, missing: null);
    }

    private string SetterOf(LambdaExpression path) => $"{IncludePath.ScriptOf(path, _core)} = args.value;";

    private string AdderOf(LambdaExpression path) => AddedNumber.Statement(path, IncludePath.ScriptOf(path, _core), "args.value");

    private JsonElement NewDocument(object entity)
    {
        ArgumentNullException.ThrowIfNull(entity);
        return _core.NewDocument(entity);
    }

    private void Patch<TValue>(string id, string script, TValue value, JsonElement? missing) => Patch(id, script, json =>
    {
        json.WritePropertyName("value"u8);
        JsonSerializer.Serialize(json, value, _core.Serializer.TypeInfo<TValue>());
    }, missing);

    /// <param name="missing">Document that is stored when there is none; null if none is stored.</param>
    private void Patch(string id, string script, Action<Utf8JsonWriter> writeValues, JsonElement? missing)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(script);
        _core.Defer(new DeferredCommand("PATCH", id, json =>
        {
            json.WriteStartObject("Patch"u8);
            json.WriteString("Script"u8, script);
            json.WriteStartObject("Values"u8);
            writeValues(json);
            json.WriteEndObject();
            json.WriteEndObject();
            if (missing is { } document)
            {
                json.WritePropertyName("CreateIfMissing"u8);
                document.WriteTo(json);
            }
        })
        {
            TouchesOthers = true,
        });
    }
}
