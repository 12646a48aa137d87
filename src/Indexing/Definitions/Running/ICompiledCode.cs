using Jackdaw.Indexing.Definitions.Model;

namespace Jackdaw.Indexing.Definitions.Running;

/// <summary>Code of a user that is loaded. It is unloaded when nobody uses it after it was disposed.</summary>
internal interface ICompiledCode : IDisposable
{
    /// <summary>The code as its user wrote it.</summary>
    UserCode Code { get; }
}
