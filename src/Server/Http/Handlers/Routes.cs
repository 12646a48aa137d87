using System.Diagnostics.Metrics;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Every route of the server, by handler group.</summary>
internal static class Routes
{
    public static RouteTable Build(Meter meter)
    {
        var routes = new RouteTable(meter);
        HealthHandlers.Map(routes);
        ServerHandlers.Map(routes);
        DatabaseHandlers.Map(routes);
        ClientConfigurationHandlers.Map(routes);
        SettingsHandlers.Map(routes);
        DocumentReadHandlers.Map(routes);
        DocumentWriteHandlers.Map(routes);
        PatchHandlers.Map(routes);
        BatchHandlers.Map(routes);
        MultiGetHandlers.Map(routes);
        BulkInsertHandlers.Map(routes);
        StreamHandlers.Map(routes);
        QueryHandlers.Map(routes);
        Queries.QueryPlanHandlers.Map(routes);
        QueryStreamHandlers.Map(routes);
        ChangeByQueryHandlers.Map(routes);
        IndexDefinitionHandlers.Map(routes);
        IndexStateHandlers.Map(routes);
        IndexReportHandlers.Map(routes);
        IndexTermHandlers.Map(routes);
        AnalyzerHandlers.Map(routes);
        HiLoHandlers.Map(routes);
        IdentityHandlers.Map(routes);
        CompareExchangeHandlers.Map(routes);
        DueHandlers.Map(routes);
        OperationHandlers.Map(routes);
        StatisticsHandlers.Map(routes);
        StorageReportHandlers.Map(routes);
        MapLater(routes);
        return routes;
    }

    // What official clients can call but this version does not support: refused, never answered with a false success.
    private static void MapLater(RouteTable routes)
    {
        MapAttachments(routes);
        routes.Later("This operation on indexes is", "/indexes", "/admin/indexes", "/index");
        routes.Later("Attachments are", "/attachments", "/debug/attachments");
        routes.Later("Counters are", "/counters");
        routes.Later(
            "Time series are", "/timeseries", "/streams/timeseries", "/admin/timeseries", "/admin/time-series");
        routes.Later("Revisions are", "/revisions", "/admin/revisions");
        routes.Later("Subscriptions are", "/subscriptions");
        routes.Later("Lazy operations on compare exchange values are", "/cmpxchg");
        routes.Later("The changes websocket is", "/changes");
        routes.Later("Export and import are", "/smuggler");
        routes.Later("Backups are", "/admin/periodic-backup", "/admin/backup", "/admin/backup-task", "/periodic-backup", "/admin/restore");
        routes.Later("Server-wide tasks are", "/admin/configuration/server-wide");
        routes.Later(
            "Replication is", "/replication", "/admin/replication", "/tasks/pull-replication", "/admin/tasks/pull-replication");
        routes.Later("Background tasks (ETL, backup, replication) are", "/tasks", "/task", "/admin/tasks", "/admin/etl");
        routes.Later("Connection strings are", "/admin/connection-strings");
        routes.Later("Compression settings are", "/documents-compression", "/admin/documents-compression");
        routes.Later("Custom sorters are", "/sorters", "/admin/sorters");
        routes.Later("Compaction over HTTP is", "/admin/compact");
        routes.Later(
            "A cluster of several nodes is", "/admin/cluster", "/admin/databases/node", "/admin/databases/promote",
            "/admin/databases/reorder", "/admin/databases/topology", "/admin/databases/dynamic-node-distribution");
        routes.Later("Database locks are", "/admin/databases/set-lock");
        routes.Later("Certificates are", "/admin/certificates", "/certificates");
    }

    // No document has one, so 404 is the right answer to HEAD; for any other error status of a HEAD, official clients
    // wait forever for its text.
    private static void MapAttachments(RouteTable routes)
    {
        routes.Database("HEAD", "/attachments", static context => context.Empty(404));
        foreach (string method in (ReadOnlySpan<string>)["GET", "POST", "PUT", "DELETE"])
        {
            routes.Database(method, "/attachments", static context => context.Send(Problem.NotSupported("Attachments are")));
        }
    }
}
