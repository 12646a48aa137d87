using System.Linq.Expressions;
using Jackdaw.Client.Linq.Rql;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Shapes, facets, suggestions, similar documents, and what answers bring along.</summary>
internal sealed partial class LinqTranslator
{
    private void ApplyPart(StepExpression operation, QueryStep step)
    {
        switch (step)
        {
            case IncludeStep include:
                foreach (IncludedPart part in include.Parts)
                {
                    Include(part);
                }

                break;
            case HighlightStep highlight:
                Highlight(highlight);
                break;
            case FacetStep facets:
                BeginSpecial(operation);
                Facets(facets);
                break;
            case SuggestStep suggestions:
                BeginSpecial(operation);
                Suggest(suggestions);
                break;
            case SimilarStep similar:
                RequireUnpaged(operation);
                Similar(similar);
                break;
            default:
                throw new InvalidOperationException($"{step.GetType().Name} is no step of a query.");
        }
    }

    private void BeginSpecial(Expression operation)
    {
        _isSpecial = true;
        if (_element != _root || _group is not null || _query.IsDistinct || _projected is not null || _query.Filter is not FixedCondition)
        {
            _problems.Add(operation, "Facets and suggestions are all that such a query answers.", "Leave out Select, GroupBy, Distinct and Filter.");
        }
    }

    private void Spatial(Expression operation, QueryStep step)
    {
        RequireUnpaged(operation);
        if (step is SpatialStep { Place: var where } condition && PlaceOf(where) is { } place)
        {
            List<RqlOperand> arguments = [place, ShapeOf(condition.Shape)];
            if (condition.ErrorPercent is { } error)
            {
                arguments.Add(new ValueOperand(error));
            }

            _where.Add(RqlConditions.Call("spatial." + condition.Relation, arguments));
        }
        else if (step is DistanceStep distance && PlaceOf(distance.Place) is { } from)
        {
            List<RqlOperand> arguments = [from, ShapeOf(distance.From)];
            if (distance.Round > 0)
            {
                arguments.Add(new ValueOperand(distance.Round));
            }

            AddOrder(new RqlOrder(new CallOperand("spatial.distance", arguments), null, distance.IsDescending), isThen: false);
        }
    }

    private RqlOperand? PlaceOf(SpatialPlace place)
    {
        if (place.Name is { } name)
        {
            return new TextOperand(RqlNames.FirstName(name));
        }

        LambdaExpression?[] lambdas = [place.Latitude, place.Longitude, place.Text, place.Field];
        List<RqlOperand> paths = [];
        foreach (LambdaExpression lambda in lambdas.OfType<LambdaExpression>())
        {
            if (_operands.TryFind(Bind(lambda)) is not { } field)
            {
                _problems.Add(lambda, "A place is made of fields.", "Name a field of the documents or of the index.");
                return null;
            }

            paths.Add(field.Operand);
        }

        return place.Field is not null ? paths[0] : new CallOperand(place.Text is null ? "spatial.point" : "spatial.wkt", paths);
    }

    private static CallOperand ShapeOf(SpatialShape shape)
    {
        (string name, object?[] numbers) = shape switch
        {
            { Text: { } text } => ("spatial.wkt", new object?[] { text }),
            { Radius: { } radius } => ("spatial.circle", [radius, shape.Latitude, shape.Longitude]),
            _ => ("spatial.point", [shape.Latitude, shape.Longitude]),
        };
        List<RqlOperand> arguments = [.. numbers.Select(number => new ValueOperand(number))];
        if (shape.Units is { } units)
        {
            arguments.Add(new TextOperand(RqlNames.Quote(units)));
        }

        return new CallOperand(name, arguments);
    }

    private void Include(IncludedPart part)
    {
        RqlPath? path = part.Path is null ? null : _fields.TryFind(Bind(part.Path));
        if (part.Path is not null && path is null or { IsDocument: true })
        {
            _problems.Add(part.Path!, "An include is the path of an id.", "Name a field, as x => x.Company or x => x.Lines.Select(l => l.Product).");
            return;
        }

        string? text = part.PathText ?? path?.Name;
        if (part.Call is null)
        {
            _includes.Add(text!);
            bool isPlain = path is { IsSimple: true } && RqlNames.IsIdentifier(text!) && !RqlNames.IsWord(text!);
            _query.Includes.Add(new TextOperand(isPlain || (path is null && RqlNames.IsIdentifier(text!)) ? text! : RqlNames.Quote(text!)));
            return;
        }

        List<RqlOperand> arguments = text is null ? [] : [new TextOperand(path?.Text ?? RqlNames.Quote(text))];
        arguments.AddRange(part.Arguments.Select(argument => new TextOperand(RqlNames.Quote(argument))));
        _query.Includes.Add(new CallOperand(part.Call, arguments));
    }

    private void Highlight(HighlightStep highlight)
    {
        if (FieldText(highlight.Field, highlight.Name) is { } field)
        {
            List<RqlOperand> arguments = [field, new TextOperand(highlight.Length.ToString()), new TextOperand(highlight.Count.ToString())];
            if (highlight.Options is not null)
            {
                arguments.Add(new ValueOperand(highlight.Options));
            }

            _query.Includes.Add(new CallOperand("highlight", arguments));
        }
    }

    private RqlOperand? FieldText(LambdaExpression? lambda, string? name)
    {
        if (lambda is null)
        {
            return new TextOperand(RqlNames.FirstName(name!));
        }

        ResolvedField? field = _operands.TryFind(Bind(lambda));
        if (field is null)
        {
            _problems.Add(lambda, "A field is expected.", "Name a field of the documents or of the index.");
        }

        return field?.Operand;
    }

    private void Facets(FacetStep step)
    {
        if (step.SetupId is { } id)
        {
            _query.Selected.Add(new RqlSelected(
                new CallOperand("facet", [new CallOperand("id", [new TextOperand(RqlNames.Quote(id))])]), null));
            return;
        }

        foreach (FacetPart facet in step.Facets)
        {
            List<RqlOperand> arguments = facet.Field is not null || facet.Name is not null ? [FieldText(facet.Field, facet.Name) ?? new TextOperand("?")] : [];
            arguments.AddRange(facet.Ranges.Select(range => new ConditionOperand(_conditions.Translate(Bind(range)))));
            foreach ((string function, LambdaExpression field, string? alias) in facet.Numbers)
            {
                arguments.Add(new CallOperand(function, [FieldText(field, null) ?? new TextOperand("?")], alias));
            }

            if (facet.Options is not null)
            {
                arguments.Add(new ValueOperand(facet.Options));
            }

            _query.Selected.Add(new RqlSelected(new CallOperand("facet", arguments), facet.Alias));
        }
    }

    private void Suggest(SuggestStep step)
    {
        foreach (SuggestPart part in step.Suggestions)
        {
            if (FieldText(part.Field, part.Name) is { } field)
            {
                List<RqlOperand> arguments = [field, new ValueOperand(part.Terms)];
                if (part.Options is not null)
                {
                    arguments.Add(new ValueOperand(part.Options));
                }

                _query.Selected.Add(new RqlSelected(new CallOperand("suggest", arguments), part.Alias));
            }
        }
    }

    private void Similar(SimilarStep step)
    {
        List<RqlOperand> arguments = step.Document is { } document
            ? [new ConditionOperand(_conditions.Translate(Bind(document)))]
            : [new ValueOperand(step.Json)];
        if (step.Options is not null)
        {
            arguments.Add(new ValueOperand(step.Options));
        }

        _where.Add(RqlConditions.Call("moreLikeThis", arguments));
    }
}
