// Answers for Periscope's regex matcher by Go's regexp, which has RE2's syntax and semantics.
//
// Reads objects {p, l}, one a line: a pattern and lines of text in base64. For each it writes {ok, err, r}: every range
// (start, end, start, end, ...) of (?m)p in every line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
)

type question struct {
	Pattern string   `json:"p"`
	Lines   [][]byte `json:"l"`
}

type answer struct {
	Ok     bool    `json:"ok"`
	Err    string  `json:"err,omitempty"`
	Ranges [][]int `json:"r,omitempty"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<28)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for in.Scan() {
		var asked question
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(answerTo(asked)); err != nil {
			panic(err)
		}
	}
}

func answerTo(asked question) answer {
	re, err := regexp.Compile("(?m)" + asked.Pattern)
	if err != nil {
		return answer{Err: err.Error()}
	}
	given := answer{Ok: true}
	for _, line := range asked.Lines {
		ranges := []int{}
		for _, match := range re.FindAllIndex(line, -1) {
			ranges = append(ranges, match[0], match[1])
		}
		given.Ranges = append(given.Ranges, ranges)
	}
	return given
}
