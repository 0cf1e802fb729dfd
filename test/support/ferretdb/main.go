// FerretDB over SQLite, for tests: its own program needs files that only its release build has. Arguments: address, folder.
package main

import (
	"context"
	"log"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
