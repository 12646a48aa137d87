using Jackdaw.Bench.Vectors;
using Jackdaw.Search.Vectors.Graphs;

// words JSON OUT | clustered COUNT DIMENSIONS OUT: makes OUT.base, OUT.query and OUT.exact, which the peer reads, too.
// build FOLDER DATA EDGES CANDIDATES THREADS [signs] | search FOLDER DATA EF... | memory FOLDER DATA EF | stated FOLDER DATA: measures the graph.
switch (args)
{
    case ["words", var json, var output, .. var rest]:
        DataSet.OfWords(json, rest is [var first] ? int.Parse(first) : int.MaxValue).Write(output);
        break;
    case ["clustered", var count, var dimensions, var output]:
        DataSet.Clustered(int.Parse(count), int.Parse(dimensions)).Write(output);
        break;
    case ["build", var folder, var data, var edges, var candidates, var threads, .. var kind]:
        GraphBench.Build(
            folder, data, int.Parse(edges), int.Parse(candidates), int.Parse(threads), kind is ["signs"] ? VectorCodeKind.Signs : VectorCodeKind.Bytes);
        break;
    case ["search", var folder, var data, .. var widths]:
        GraphBench.Search(folder, data, [.. widths.Select(int.Parse)]);
        break;
    case ["stated", var folder, var data]:
        GraphBench.Stated(folder, data);
        break;
    case ["memory", var folder, var data, var width]:
        GraphBench.Memory(folder, data, int.Parse(width));
        break;
    default:
        Console.Error.WriteLine(
            "words JSON OUT [COUNT] | clustered COUNT DIMENSIONS OUT | build FOLDER DATA EDGES CANDIDATES THREADS [signs]\n"
            + "search FOLDER DATA EF... | memory FOLDER DATA EF | stated FOLDER DATA");
        return 1;
}

return 0;
