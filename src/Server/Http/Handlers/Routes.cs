using System.Diagnostics.Metrics;
using Jackdaw.Server.Http.Handlers.Api;
using Jackdaw.Server.Http.Handlers.Attachments;
using Jackdaw.Server.Http.Handlers.BulkInserts;
using Jackdaw.Server.Http.Handlers.Certificates;
using Jackdaw.Server.Http.Handlers.Changes;
using Jackdaw.Server.Http.Handlers.CompareExchange;
using Jackdaw.Server.Http.Handlers.Counters;
using Jackdaw.Server.Http.Handlers.Documents;
using Jackdaw.Server.Http.Handlers.Exports;
using Jackdaw.Server.Http.Handlers.Identities;
using Jackdaw.Server.Http.Handlers.Indexes;
using Jackdaw.Server.Http.Handlers.Live;
using Jackdaw.Server.Http.Handlers.Previews;
using Jackdaw.Server.Http.Handlers.Queries;
using Jackdaw.Server.Http.Handlers.QueryEditing;
using Jackdaw.Server.Http.Handlers.Revisions;
using Jackdaw.Server.Http.Handlers.SampleShop;
using Jackdaw.Server.Http.Handlers.Sessions;
using Jackdaw.Server.Http.Handlers.Settings;
using Jackdaw.Server.Http.Handlers.Studio;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Every route of the server, by handler group.</summary>
internal static class Routes
{
    /// <param name="hasStudio">Whether the pages for browsers are served.</param>
    public static RouteTable Build(Meter meter, bool hasStudio)
    {
        var routes = new RouteTable(meter);
        HealthHandlers.Map(routes);
        ServerHandlers.Map(routes);
        DatabaseHandlers.Map(routes);
        CompactionHandlers.Map(routes);
        LockHandlers.Map(routes);
        TopologyHandlers.Map(routes);
        ClientConfigurationHandlers.Map(routes);
        SettingsHandlers.Map(routes);
        SettingsInForceHandlers.Map(routes);
        ConnectionStringHandlers.Map(routes);
        CompressionHandlers.Map(routes);
        ConflictHandlers.Map(routes);
        LogHandlers.Map(routes);
        DocumentReadHandlers.Map(routes);
        PreviewHandlers.Map(routes);
        FieldHandlers.Map(routes);
        ExportHandlers.Map(routes);
        DocumentWriteHandlers.Map(routes);
        PatchHandlers.Map(routes);
        AttachmentHandlers.Map(routes);
        AttachmentListHandlers.Map(routes);
        BatchHandlers.Map(routes);
        MultiGetHandlers.Map(routes);
        BulkInsertHandlers.Map(routes);
        StreamHandlers.Map(routes);
        QueryHandlers.Map(routes);
        QueryPlanHandlers.Map(routes);
        RunningQueryHandlers.Map(routes);
        QueryParseHandlers.Map(routes);
        QueryStreamHandlers.Map(routes);
        ChangeByQueryHandlers.Map(routes);
        IndexDefinitionHandlers.Map(routes);
        IndexStateHandlers.Map(routes);
        IndexReportHandlers.Map(routes);
        IndexTermHandlers.Map(routes);
        IndexTrialHandlers.Map(routes);
        EngineMoveHandlers.Map(routes);
        EngineComparisonHandlers.Map(routes);
        AnalyzerHandlers.Map(routes);
        SorterHandlers.Map(routes);
        HiLoHandlers.Map(routes);
        IdentityHandlers.Map(routes);
        CompareExchangeHandlers.Map(routes);
        ScheduleHandlers.Map(routes);
        CounterHandlers.Map(routes);
        RevisionReadHandlers.Map(routes);
        RevisionChangeHandlers.Map(routes);
        RevisionConfigurationHandlers.Map(routes);
        OperationHandlers.Map(routes);
        MapAccess(routes);
        ChangesHandlers.Map(routes);
        LiveHandlers.Map(routes);
        TailHandlers.Map(routes);
        StatisticsHandlers.Map(routes);
        StorageReportHandlers.Map(routes);
        FolderReportHandlers.Map(routes);
        SampleShopHandlers.Map(routes);
        ApiHandlers.Map(routes);
        if (hasStudio)
        {
            StudioHandlers.Map(routes);
        }

        MapLater(routes);
        return routes;
    }

    // Who gets in, and who did what.
    private static void MapAccess(RouteTable routes)
    {
        AuditHandlers.Map(routes);
        LoginHandlers.Map(routes);
        LoginLinkHandlers.Map(routes);
        SessionHandlers.Map(routes);
        MetricsTokenHandlers.Map(routes);
        CertificateListHandlers.Map(routes);
        WhoAmIHandlers.Map(routes);
        CertificateChangeHandlers.Map(routes);
        ServerCertificateHandlers.Map(routes);
    }

    // What official clients can call but this version does not support: refused, never answered with a false success.
    private static void MapLater(RouteTable routes)
    {
        routes.Later("This operation on indexes is", "/indexes", "/admin/indexes", "/index");
        routes.Later("This operation on attachments is", "/attachments", "/debug/attachments", "/admin/attachments");
        routes.Later(
            "Time series are", "/timeseries", "/streams/timeseries", "/admin/timeseries", "/admin/time-series");
        routes.Later("Cleaning the bin of revisions by age is", "/revisions/bin-cleaner", "/admin/revisions/bin-cleaner");
        routes.Later("This operation on revisions is", "/revisions", "/admin/revisions");
        routes.Later("Subscriptions are", "/subscriptions");
        routes.Later("Lazy operations on compare exchange values are", "/cmpxchg");
        routes.Later("Export and import are", "/smuggler");
        routes.Later("Backups are", "/admin/periodic-backup", "/admin/backup", "/admin/backup-task", "/periodic-backup", "/admin/restore");
        routes.Later("Server-wide tasks are", "/admin/configuration/server-wide");
        routes.Later(
            "Replication is", "/replication", "/admin/replication", "/tasks/pull-replication", "/admin/tasks/pull-replication");
        routes.Later("Background tasks (ETL, backup, replication) are", "/tasks", "/task", "/admin/tasks", "/admin/etl");
        routes.Later("A cluster of several nodes is", "/admin/cluster");
        routes.Later("This operation on certificates is", "/admin/certificates", "/certificates");
        routes.Later("Agents and other tasks of language models are", "/ai", "/admin/ai");
        routes.Later("Validating documents by schemas is", "/schema-validation", "/admin/schema-validation");
        routes.Later("Recording transactions is", "/admin/transactions");
    }
}
