using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Callers;

/// <summary>The sender of a request, with their access. Routes, commands of a batch, watches and parts of a multi_get all ask here.</summary>
/// <remarks>It is asked for every request, from any thread. The answer may change while a connection lasts.</remarks>
internal abstract class Caller
{
    /// <summary>A caller that may do everything. As long as there are no users, every caller is this one.</summary>
    public static Caller Everyone { get; } = new UnrestrictedCaller();

    /// <summary>The name of the caller in messages.</summary>
    public abstract string Name { get; }

    /// <summary>Whether the caller has an access.</summary>
    /// <param name="access">The access that is needed.</param>
    /// <param name="database">The name of the database in any casing, which need not exist; empty for the whole server.</param>
    public abstract bool May(Access access, ReadOnlySpan<char> database);

    /// <summary>Throws when the caller does not have an access.</summary>
    /// <param name="access">As for <see cref="May"/>.</param>
    /// <param name="database">As for <see cref="May"/>.</param>
    /// <param name="subject">The action that needs the access, as the subject of a sentence, such as "PUT /docs".</param>
    /// <exception cref="AccessDeniedException">The caller does not have the access.</exception>
    public void Demand(Access access, ReadOnlySpan<char> database, string subject)
    {
        if (!May(access, database))
        {
            throw new AccessDeniedException($"{subject} needs {Describe(access, database)}, {Refuse(access, database.ToString())}");
        }
    }

    /// <summary>The caller to ask about work that goes on after its request. It loses an access only when somebody takes it away: a person who logs out, or
    /// whose session is over, does not end what they began.</summary>
    public virtual Caller OfBackgroundWork => this;

    /// <summary>Whether the caller may learn the name of a database, and what is counted for it.</summary>
    public virtual bool MayKnowOf(ReadOnlySpan<char> database) => May(Access.Read, database);

    /// <summary>The end of a refusal: who came, and what helps. It goes on after "X needs Y,".</summary>
    /// <param name="access">The access that is needed.</param>
    /// <param name="database">As for <see cref="May"/>.</param>
    protected virtual string Refuse(Access access, string database) => $"which {Name} does not have.";

    private static string Describe(Access access, ReadOnlySpan<char> database) => access switch
    {
        Access.Read or Access.ReadWrite or Access.Admin when !database.IsEmpty => $"the access {access} to database '{database}'",
        _ => $"the access {access}",
    };

    private sealed class UnrestrictedCaller : Caller
    {
        public override string Name => "everyone";

        public override bool May(Access access, ReadOnlySpan<char> database) => true;
    }
}

/// <summary>A caller may not do something; the text says which access is needed.</summary>
internal sealed class AccessDeniedException(string message) : RefusedException(RefusalKind.AccessDenied, message);
