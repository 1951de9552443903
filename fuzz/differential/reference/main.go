// The reference side of the differential harness: reads cases, one JSON object a line, and answers each
// with one line that says what hashicorp/hcl makes of it. See ../README.md for both shapes.
//
// Built in GOPATH mode from Debian's golang-github-hashicorp-hcl-v2-dev:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o reference main.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A case that takes longer is answered with a time-out: its work goes on in the background.
const timeLimit = 5 * time.Second

// This number of time-outs ends the program, since each keeps a processor busy.
const maxTimeouts = 8

type testCase struct {
	Input   string              `json:"input"`
	Native  bool                `json:"native"`
	Schema  *schema             `json:"schema"`
	Literal bool                `json:"literal"`
	Scope   map[string]variable `json:"scope"`
}

type schema struct {
	Mode       string                 `json:"mode"`
	Attributes map[string]attrSchema  `json:"attributes"`
	Blocks     map[string]blockSchema `json:"blocks"`
}

type attrSchema struct {
	Required bool `json:"required"`
}

type blockSchema struct {
	Labels []string `json:"labels"`
	Body   *schema  `json:"body"`
}

// A variable: a value as JSON and its type, or an unknown value of the type.
type variable struct {
	Type      json.RawMessage `json:"type"`
	Value     json.RawMessage `json:"value"`
	Unknown   bool            `json:"unknown"`
	Sensitive bool            `json:"sensitive"`
}

type answer struct {
	Timeout     bool              `json:"timeout,omitempty"`
	Panic       string            `json:"panic,omitempty"`
	Parse       []string          `json:"parse"`
	Place       *int              `json:"place,omitempty"`
	Diagnostics []string          `json:"diagnostics"`
	Attributes  []attributeAnswer `json:"attributes"`
}

type attributeAnswer struct {
	Path      string   `json:"path"`
	Value     *string  `json:"value"`
	Errors    []string `json:"errors"`
	Variables []string `json:"variables"`
}

func summaries(ds hcl.Diagnostics) []string {
	out := []string{}
	for _, d := range ds {
		if d.Severity == hcl.DiagError {
			out = append(out, d.Summary)
		}
	}
	return out
}

// An answer without anything in it: empty lists are no null.
func empty() answer {
	return answer{Parse: []string{}, Diagnostics: []string{}, Attributes: []attributeAnswer{}}
}

func answerTo(line []byte) (out answer) {
	defer func() {
		if r := recover(); r != nil {
			out = empty()
			out.Panic = fmt.Sprint(r)
		}
	}()
	var c testCase
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	var ctx *hcl.EvalContext
	if !c.Literal {
		ctx = &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functions}
		for name, v := range c.Scope {
			ctx.Variables[name] = v.value()
		}
	}
	parse := hcljson.Parse
	if c.Native {
		parse = func(text []byte, name string) (*hcl.File, hcl.Diagnostics) {
			return hclsyntax.ParseConfig(text, name, hcl.InitialPos)
		}
	}
	file, ds := parse([]byte(c.Input), "input")
	out = empty()
	if c.Native {
		// The scanner reports its errors before those of the parser.
		sort.SliceStable(ds, func(i, j int) bool { return start(ds[i]) < start(ds[j]) })
	}
	out.Parse = summaries(ds)
	if c.Native && ds.HasErrors() && ds[0].Subject != nil {
		out.Place = &ds[0].Subject.Start.Byte
	}
	if !ds.HasErrors() && file != nil && file.Body != nil {
		w := walker{ctx: ctx, native: c.Native, out: &out}
		w.body("", file.Body, c.Schema)
	}
	return out
}

func start(d *hcl.Diagnostic) int {
	if d.Subject == nil {
		return 0
	}
	return d.Subject.Start.Byte
}

func (v variable) value() cty.Value {
	t, err := ctyjson.UnmarshalType(v.Type)
	if err != nil {
		panic(err)
	}
	var out cty.Value
	if v.Unknown {
		out = cty.UnknownVal(t)
	} else if out, err = ctyjson.Unmarshal(v.Value, t); err != nil {
		panic(err)
	}
	if v.Sensitive {
		out = out.Mark("sensitive")
	}
	return out
}

type walker struct {
	ctx    *hcl.EvalContext
	native bool
	out    *answer
}

func place(r hcl.Range) string {
	return fmt.Sprintf(" %d-%d", r.Start.Byte, r.End.Byte)
}

func (w walker) body(path string, b hcl.Body, s *schema) {
	if s == nil || s.Mode == "just_attributes" {
		as, ds := b.JustAttributes()
		w.out.Diagnostics = append(w.out.Diagnostics, summaries(ds)...)
		w.attributes(path, as)
		return
	}
	hs := &hcl.BodySchema{}
	for _, n := range sortedKeys(s.Attributes) {
		hs.Attributes = append(hs.Attributes, hcl.AttributeSchema{Name: n, Required: s.Attributes[n].Required})
	}
	for _, n := range sortedKeys(s.Blocks) {
		hs.Blocks = append(hs.Blocks, hcl.BlockHeaderSchema{Type: n, LabelNames: s.Blocks[n].Labels})
	}
	var c *hcl.BodyContent
	var ds hcl.Diagnostics
	if s.Mode == "partial" {
		c, _, ds = b.PartialContent(hs)
	} else {
		c, ds = b.Content(hs)
	}
	w.out.Diagnostics = append(w.out.Diagnostics, summaries(ds)...)
	w.attributes(path, c.Attributes)
	for i, bl := range c.Blocks {
		inner := fmt.Sprintf("%s%s[%d]", path, bl.Type, i)
		for _, l := range bl.Labels {
			inner += quoted(l)
		}
		if w.native {
			inner += place(bl.DefRange)
			for _, r := range bl.LabelRanges {
				inner += place(r)
			}
		}
		w.body(inner+".", bl.Body, s.Blocks[bl.Type].Body)
	}
}

func sortedKeys[T any](m map[string]T) []string {
	names := []string{}
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (w walker) attributes(path string, as hcl.Attributes) {
	for _, n := range sortedKeys(as) {
		e := as[n].Expr
		a := attributeAnswer{Path: path + n, Errors: []string{}, Variables: []string{}}
		if w.native {
			a.Path += place(as[n].NameRange) + place(e.Range())
		}
		v, ds := e.Value(w.ctx)
		if ds.HasErrors() {
			a.Errors = summaries(ds)
		} else {
			text := render(v)
			a.Value = &text
		}
		for _, t := range e.Variables() {
			a.Variables = append(a.Variables, traversal(t))
		}
		w.out.Attributes = append(w.out.Attributes, a)
	}
}

func traversal(t hcl.Traversal) string {
	s := ""
	for _, st := range t {
		switch x := st.(type) {
		case hcl.TraverseRoot:
			s += x.Name
		case hcl.TraverseAttr:
			s += "." + x.Name
		case hcl.TraverseIndex:
			s += "[" + render(x.Key) + "]"
		case hcl.TraverseSplat:
			s += "[*]"
		}
	}
	return s
}

// A value as text from which its type can be read, too.
func render(v cty.Value) string {
	v, marks := v.Unmark()
	if len(marks) > 0 {
		return "sensitive(" + render(v) + ")"
	}
	t := v.Type()
	switch {
	case !v.IsKnown():
		return "unknown:" + typeText(t)
	case v.IsNull():
		return "null:" + typeText(t)
	case t == cty.Bool:
		return strconv.FormatBool(v.True())
	case t == cty.Number:
		return numberText(v.AsBigFloat())
	case t == cty.String:
		return quoted(v.AsString())
	case t.IsTupleType():
		return "[" + elements(v) + "]"
	case t.IsListType():
		return "list(" + typeText(t.ElementType()) + ")[" + elements(v) + "]"
	case t.IsSetType():
		return "set(" + typeText(t.ElementType()) + ")[" + elements(v) + "]"
	case t.IsMapType():
		return "map(" + typeText(t.ElementType()) + "){" + elements(v) + "}"
	case t.IsObjectType():
		parts := []string{}
		for _, n := range sortedKeys(t.AttributeTypes()) {
			parts = append(parts, quoted(n)+"="+render(v.GetAttr(n)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "?"
}

func numberText(f *big.Float) string {
	return f.Text('f', -1)
}

func elements(v cty.Value) string {
	parts := []string{}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		text := render(e)
		if v.Type().IsMapType() {
			text = quoted(k.AsString()) + "=" + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

func typeText(t cty.Type) string {
	switch {
	case t == cty.DynamicPseudoType:
		return "dynamic"
	case t.IsPrimitiveType():
		return t.FriendlyName()
	case t.IsListType():
		return "list(" + typeText(t.ElementType()) + ")"
	case t.IsSetType():
		return "set(" + typeText(t.ElementType()) + ")"
	case t.IsMapType():
		return "map(" + typeText(t.ElementType()) + ")"
	case t.IsTupleType():
		parts := []string{}
		for _, e := range t.TupleElementTypes() {
			parts = append(parts, typeText(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case t.IsObjectType():
		parts := []string{}
		for _, n := range sortedKeys(t.AttributeTypes()) {
			parts = append(parts, quoted(n)+"="+typeText(t.AttributeType(n)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "?"
}

// Text in quotes: everything but printable ASCII as UTF-16 escapes.
func quoted(s string) string {
	out := strings.Builder{}
	out.WriteByte('"')
	for _, r := range s {
		if r >= ' ' && r <= '~' && r != '"' && r != '\\' {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, "\\u%04x", unit)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// The functions that cases may call; src/functions.rs has the same.
var functions = map[string]function.Function{
	// Its argument, whatever it is.
	"same": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowMarked: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, t cty.Type) (cty.Value, error) { return args[0], nil },
	}),
	// The text in angle brackets.
	"angle": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			return cty.StringVal("<" + args[0].AsString() + ">"), nil
		},
	}),
	// How many elements a list of numbers has; fewer than one is an error.
	"count": function.New(&function.Spec{
		Params: []function.Parameter{{Name: "numbers", Type: cty.List(cty.Number)}},
		Type:   function.StaticReturnType(cty.Number),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if args[0].LengthInt() == 0 {
				return cty.NilVal, function.NewArgErrorf(0, "is empty")
			}
			return cty.NumberIntVal(int64(args[0].LengthInt())), nil
		},
	}),
	// The last of the arguments; no argument is an error of the call.
	"last": function.New(&function.Spec{
		Params:   []function.Parameter{},
		VarParam: &function.Parameter{Name: "values", Type: cty.String, AllowNull: true},
		Type:     function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			if len(args) == 0 {
				return cty.NilVal, fmt.Errorf("nothing is given")
			}
			return args[len(args)-1], nil
		},
	}),
}

func main() {
	// A pathological case must not take the machine's memory with it.
	debug.SetMemoryLimit(2 << 30)
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	timeouts := 0
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		done := make(chan answer, 1)
		go func() { done <- answerTo(line) }()
		var a answer
		select {
		case a = <-done:
		case <-time.After(timeLimit):
			a = empty()
			a.Timeout = true
			timeouts++
		}
		b, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		out.Write(b)
		out.WriteByte('\n')
		if in.Buffered() == 0 {
			out.Flush()
		}
		if timeouts == maxTimeouts {
			return
		}
	}
}
