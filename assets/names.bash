_fascicle_told() {
    case "$1" in
@told@    esac 2>/dev/null
}

_fascicle_names() {
    _fascicle "$@"
    local cur="" value="" kind="" word name joins="" quote="" folds
    local -a all=() words=()
    # A colon parts words for the shell, and stands in the name of a variant.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#all[@]} -gt 0 && ( -n $joins || $word == : ) ]]; then
            all[${#all[@]}-1]+="$word"
        else
            all+=("$word")
        fi
        joins=""
        [[ $word == : ]] && joins=yes
    done
    [[ ${#all[@]} -eq 0 ]] && return
    cur="${all[${#all[@]}-1]}"
    [[ $cur == -* ]] && return
    [[ $cur == = ]] && cur=""
    [[ $cur == [\"\']* ]] && quote="${cur:0:1}"
    for word in "${all[@]:0:${#all[@]}-1}"; do
        [[ $word == = ]] && continue
        [[ -n $value ]] && value="" && continue
        case "$word" in
            @valued@) value="$word" ;;
            -*) ;;
            *) words+=("$word") ;;
        esac
    done
    case "$value" in
        "") case "${#words[@]} ${words[0]} ${words[1]}" in
@places@        esac ;;
@options@    esac
    [[ -z $kind ]] && return
    cur=${cur//[\\\"\']/}
    COMPREPLY=()
    folds="$(shopt -p nocasematch)"
    shopt -s nocasematch
    while IFS= read -r name; do
        [[ $name == "$cur"* ]] && _fascicle_name "$name" "$cur" "$quote"
    done < <(_fascicle_told "$kind")
    $folds
}

# A name as it is put behind what stands there: without what is before the last colon, unless a quotation mark is open.
_fascicle_name() {
    local name="$1" cur="$2"
    case "$3" in
        \') [[ $name == *\'* ]] && return ;;
        \") name="$(printf '%s' "$name" | sed 's/[\\"$`]/\\&/g')" ;;
        *)
            name="$(printf '%q' "$name")"
            while [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]]; do
                cur="${cur#*:}" name="${name#*:}"
            done ;;
    esac
    COMPREPLY+=("$name")
}
complete -F _fascicle_names -o bashdefault -o default fascicle
