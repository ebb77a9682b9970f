/* An engine for the line protocol of docs/engines.md. It knows no rules and plays every game:
   of the listed actions it takes the first that writes or places something, otherwise it keeps
   the equal dice that it has most of, and passes if nothing else is left.
   Build and try it: cc -o mine engine.c && dicecup match yam-master --players greedy engine:./mine */
#include <stdio.h>
#include <string.h>

static int merit(const char *action) { /* how good an action looks */
    if (strchr("!-n", *action)) return 0; /* a Défi, a Predator, a pass, no correction */
    if (*action != 'k') return 100;
    int most = 0, length = (int)strlen(action + 1);
    for (int i = 1, run = 0; i <= length; i++) {
        run = i > 1 && action[i] == action[i - 1] ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return 1 + (most == length ? most : 0); /* keep equal dice only */
}

int main(void) {
    static char line[65537];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!strncmp(line, "dice", 4)) puts("id name Thirty lines of C\ndiceok 1");
        else if (!strcmp(line, "isready")) puts("readyok");
        else if (!strcmp(line, "quit")) break;
        else if (!strncmp(line, "go ", 3)) {
            char *best = strtok(strstr(line, "actions ") + 8, ";");
            for (char *next = best; next; next = strtok(NULL, ";"))
                if (merit(next) > merit(best)) best = next;
            printf("bestaction %s\n", best);
        }
        fflush(stdout);
    }
    return 0;
}
