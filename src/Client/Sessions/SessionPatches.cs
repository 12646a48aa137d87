using System.Linq.Expressions;
using System.Text.Json;
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
        Script(id, $"this.{IncludePath.Of(path, _core)} = args.value;", value);
    }

    /// <summary>Adds to a number; one that is not there begins with 0.</summary>
    /// <param name="path">Such as <c>order => order.Number</c>.</param>
    public void Increment<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue by)
    {
        ArgumentNullException.ThrowIfNull(path);
        string name = IncludePath.Of(path, _core);
        Script(id, $"this.{name} = this.{name} ? this.{name} + args.value : args.value;", by);
    }

    /// <summary>Runs a script on a document: <c>this</c> is the document, <c>args.value</c> the value.</summary>
    /// <param name="value">Any value; never write values into the script.</param>
    public void Script<TValue>(string id, string script, TValue value)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(script);
        _core.Defer(new DeferredCommand("PATCH", id, json =>
        {
            json.WriteStartObject("Patch"u8);
            json.WriteString("Script"u8, script);
            json.WriteStartObject("Values"u8);
            json.WritePropertyName("value"u8);
            JsonSerializer.Serialize(json, value, _core.Serializer.TypeInfo<TValue>());
            json.WriteEndObject();
            json.WriteEndObject();
        })
        {
            TouchesOthers = true,
        });
    }
}
