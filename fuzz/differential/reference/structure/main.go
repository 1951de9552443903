// The reference side of the comparison of native files: reads files, each a JSON string on a line, and answers each with one
// line that says what hashicorp/hcl makes of it. See ../../README.md.
//
// Built in GOPATH mode from Debian's golang-github-hashicorp-hcl-v2-dev:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o structure main.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

type answer struct {
	Panic  string   `json:"panic"`
	Errors []string `json:"errors"`
	Items  []string `json:"items"`
}

func answerTo(line []byte) (out answer) {
	out = answer{Errors: []string{}, Items: []string{}}
	defer func() {
		if r := recover(); r != nil {
			out = answer{Panic: fmt.Sprint(r), Errors: []string{}, Items: []string{}}
		}
	}()
	var text string
	if err := json.Unmarshal(line, &text); err != nil {
		panic(err)
	}
	file, ds := hclsyntax.ParseConfig([]byte(text), "input", hcl.InitialPos)
	for _, d := range ds {
		place := 0
		if d.Subject != nil {
			place = d.Subject.Start.Byte
		}
		out.Errors = append(out.Errors, fmt.Sprintf("%s at %d", d.Summary, place))
	}
	if !ds.HasErrors() {
		items(file.Body.(*hclsyntax.Body), &out.Items)
	}
	return out
}

// All attributes and blocks of a body, in the order of the file.
func items(body *hclsyntax.Body, out *[]string) {
	type item struct {
		start int
		write func()
	}
	all := []item{}
	for _, a := range body.Attributes {
		a := a
		all = append(all, item{a.SrcRange.Start.Byte, func() {
			names := []string{}
			for _, t := range a.Expr.Variables() {
				names = append(names, fmt.Sprintf("%s %d", t.RootName(), t.SourceRange().Start.Byte))
			}
			sort.Strings(names)
			*out = append(*out, fmt.Sprintf("%s %d-%d %s", a.Name, a.SrcRange.Start.Byte, a.SrcRange.End.Byte, strings.Join(names, ",")))
		}})
	}
	for _, b := range body.Blocks {
		b := b
		all = append(all, item{b.TypeRange.Start.Byte, func() {
			labels := ""
			for i, l := range b.Labels {
				r := b.LabelRanges[i]
				labels += fmt.Sprintf(" %q %d-%d", l, r.Start.Byte, r.End.Byte)
			}
			*out = append(*out, fmt.Sprintf("%s %d%s { %d-%d", b.Type, b.TypeRange.Start.Byte, labels, b.OpenBraceRange.Start.Byte, b.CloseBraceRange.End.Byte))
			items(b.Body, out)
			*out = append(*out, "}")
		}})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].start < all[j].start })
	for _, i := range all {
		i.write()
	}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			encoder.Encode(answerTo(line))
			out.Flush()
		}
		if err != nil {
			return
		}
	}
}
