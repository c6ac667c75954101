module regex-oracle

go 1.26
